/// An interceptor and the calls that it sees.
public struct ConditionalInterceptor<Interceptor: Sendable>: Sendable {
  /// Which calls an interceptor sees.
  public struct Subject: Sendable {
    private enum Kind: Sendable {
      case all
      case services(Set<ServiceDescriptor>)
      case methods(Set<MethodDescriptor>)
    }

    private let kind: Kind

    /// Every call.
    public static var all: Self { Self(kind: .all) }

    /// The calls of some services.
    ///
    /// - Parameter services: The services.
    public static func services(_ services: Set<ServiceDescriptor>) -> Self {
      Self(kind: .services(services))
    }

    /// The calls of some methods.
    ///
    /// - Parameter methods: The methods.
    public static func methods(_ methods: Set<MethodDescriptor>) -> Self {
      Self(kind: .methods(methods))
    }

    func applies(to descriptor: MethodDescriptor) -> Bool {
      switch kind {
      case .all: true
      case .services(let services): services.contains(descriptor.service)
      case .methods(let methods): methods.contains(descriptor)
      }
    }
  }

  /// The interceptor.
  public let interceptor: Interceptor
  private let subject: Subject

  fileprivate init(interceptor: Interceptor, subject: Subject) {
    self.interceptor = interceptor
    self.subject = subject
  }

  /// Whether the interceptor sees the calls of a method.
  ///
  /// - Parameter descriptor: The method.
  public func applies(to descriptor: MethodDescriptor) -> Bool {
    subject.applies(to: descriptor)
  }
}

extension ConditionalInterceptor where Interceptor == any ClientInterceptor {
  /// Says which calls a client's interceptor sees.
  ///
  /// - Parameters:
  ///   - interceptor: The interceptor.
  ///   - subject: The calls.
  public static func apply(_ interceptor: any ClientInterceptor, to subject: Subject) -> Self {
    Self(interceptor: interceptor, subject: subject)
  }
}

extension ConditionalInterceptor where Interceptor == any ServerInterceptor {
  /// Says which calls a server's interceptor sees.
  ///
  /// - Parameters:
  ///   - interceptor: The interceptor.
  ///   - subject: The calls.
  public static func apply(_ interceptor: any ServerInterceptor, to subject: Subject) -> Self {
    Self(interceptor: interceptor, subject: subject)
  }
}
