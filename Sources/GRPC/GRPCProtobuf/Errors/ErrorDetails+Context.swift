extension ErrorDetails {
  /// Which request it was, for a report.
  public struct RequestInfo: Sendable, Hashable {
    /// What the service calls the request.
    public var requestID: String
    /// What its own people can find out with.
    public var servingData: String

    /// Creates information of a request.
    ///
    /// - Parameters:
    ///   - requestID: What the service calls the request.
    ///   - servingData: What its own people can find out with.
    public init(requestID: String, servingData: String) {
      self.requestID = requestID
      self.servingData = servingData
    }
  }

  /// Which resource it is about.
  public struct ResourceInfo: Sendable, Hashable {
    /// The kind of resource.
    public var type: String
    /// Its name.
    public var name: String
    /// What is the matter with it.
    public var errorDescription: String
    /// Whose it is; empty where that is not said.
    public var owner: String

    /// Creates information of a resource.
    ///
    /// - Parameters:
    ///   - type: The kind of resource.
    ///   - name: Its name.
    ///   - errorDescription: What is the matter with it.
    ///   - owner: Whose it is.
    public init(type: String, name: String, errorDescription: String, owner: String = "") {
      self.type = type
      self.name = name
      self.errorDescription = errorDescription
      self.owner = owner
    }
  }

  /// Where to read more.
  public struct Help: Sendable, Hashable {
    /// A place to read more.
    public struct Link: Sendable, Hashable {
      /// The address.
      public var url: String
      /// What is there.
      public var linkDescription: String

      /// Creates a link.
      ///
      /// - Parameters:
      ///   - url: The address.
      ///   - description: What is there.
      public init(url: String, description: String) {
        self.url = url
        linkDescription = description
      }
    }

    /// The places.
    public var links: [Link]

    /// Creates help.
    ///
    /// - Parameter links: The places.
    public init(links: [Link]) {
      self.links = links
    }
  }

  /// A message for the user, in their language.
  public struct LocalizedMessage: Sendable, Hashable {
    /// The language, such as `de-CH` (BCP 47).
    public var locale: String
    /// The message.
    public var message: String

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - locale: The language.
    ///   - message: The message.
    public init(locale: String, message: String) {
      self.locale = locale
      self.message = message
    }
  }

  /// Details that say which request it was.
  ///
  /// - Parameters:
  ///   - requestID: What the service calls the request.
  ///   - servingData: What its own people can find out with.
  public static func requestInfo(requestID: String, servingData: String) -> Self {
    Self(RequestInfo(requestID: requestID, servingData: servingData))
  }

  /// Details that say which resource it is about.
  ///
  /// - Parameters:
  ///   - type: The kind of resource.
  ///   - name: Its name.
  ///   - errorDescription: What is the matter with it.
  ///   - owner: Whose it is.
  public static func resourceInfo(
    type: String, name: String, errorDescription: String, owner: String = ""
  ) -> Self {
    Self(ResourceInfo(type: type, name: name, errorDescription: errorDescription, owner: owner))
  }

  /// Details that say where to read more.
  ///
  /// - Parameter links: The places.
  public static func help(links: [Help.Link]) -> Self {
    Self(Help(links: links))
  }

  /// Details that speak to the user.
  ///
  /// - Parameters:
  ///   - locale: The language, such as `de-CH` (BCP 47).
  ///   - message: The message.
  public static func localizedMessage(locale: String, message: String) -> Self {
    Self(LocalizedMessage(locale: locale, message: message))
  }

  /// Which request it was; `nil` where these details are of another kind.
  public var requestInfo: RequestInfo? { standard() }
  /// Which resource it is about; `nil` where these details are of another kind.
  public var resourceInfo: ResourceInfo? { standard() }
  /// Where to read more; `nil` where these details are of another kind.
  public var help: Help? { standard() }
  /// A message for the user; `nil` where these details are of another kind.
  public var localizedMessage: LocalizedMessage? { standard() }
}

extension ErrorDetails.RequestInfo: StandardErrorDetails {
  init(_ message: Google_Rpc_RequestInfo) {
    self.init(requestID: message.requestID, servingData: message.servingData)
  }

  var carrier: Google_Rpc_RequestInfo {
    .with {
      $0.requestID = requestID
      $0.servingData = servingData
    }
  }
}

extension ErrorDetails.ResourceInfo: StandardErrorDetails {
  init(_ message: Google_Rpc_ResourceInfo) {
    self.init(
      type: message.resourceType, name: message.resourceName,
      errorDescription: message.description_p, owner: message.owner)
  }

  var carrier: Google_Rpc_ResourceInfo {
    .with {
      $0.resourceType = type
      $0.resourceName = name
      $0.description_p = errorDescription
      $0.owner = owner
    }
  }
}

extension ErrorDetails.Help: StandardErrorDetails {
  init(_ message: Google_Rpc_Help) {
    links = message.links.map { Link(url: $0.url, description: $0.description_p) }
  }

  var carrier: Google_Rpc_Help {
    .with {
      $0.links = links.map { link in
        .with {
          $0.url = link.url
          $0.description_p = link.linkDescription
        }
      }
    }
  }
}

extension ErrorDetails.LocalizedMessage: StandardErrorDetails {
  init(_ message: Google_Rpc_LocalizedMessage) {
    self.init(locale: message.locale, message: message.message)
  }

  var carrier: Google_Rpc_LocalizedMessage {
    .with {
      $0.locale = locale
      $0.message = message
    }
  }
}
