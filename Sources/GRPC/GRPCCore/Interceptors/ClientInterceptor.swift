/// Sees and changes a client's calls, before they reach the transport and as they come back.
public protocol ClientInterceptor: Sendable {
  /// Intercepts a call.
  ///
  /// - Parameters:
  ///   - request: The call's request.
  ///   - context: What is known of the call.
  ///   - next: Hands the call on. It is called at most once.
  /// - Returns: The call's response.
  /// - Throws: Why the call fails.
  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingClientRequest<Input>, context: ClientContext,
    next: (
      _ request: StreamingClientRequest<Input>, _ context: ClientContext
    ) async throws -> StreamingClientResponse<Output>
  ) async throws -> StreamingClientResponse<Output>
}
