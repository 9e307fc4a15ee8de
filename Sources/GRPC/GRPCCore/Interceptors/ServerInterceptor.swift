/// Sees and changes a server's calls, before they reach the handler and as they go back.
public protocol ServerInterceptor: Sendable {
  /// Intercepts a call.
  ///
  /// - Parameters:
  ///   - request: The call's request.
  ///   - context: What is known of the call.
  ///   - next: Hands the call on.
  /// - Returns: The call's response.
  /// - Throws: Why the call fails.
  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (
        _ request: StreamingServerRequest<Input>, _ context: ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output>
}
