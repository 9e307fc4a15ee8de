extension EventLoop {
  /// An object of which each loop has one, made when it is first asked for. Only on the loop.
  ///
  /// This is for what all users of a loop share, for example buffers. The object lives as long as
  /// the loop does.
  ///
  /// - Parameters:
  ///   - type: The object's type, under which it is found.
  ///   - make: Makes the object.
  public func attachment<Object: AnyObject>(
    _ type: Object.Type, _ make: () -> Object
  ) -> Object {
    if let object = attachments[ObjectIdentifier(type)] as? Object { return object }
    let object = make()
    attachments[ObjectIdentifier(type)] = object
    return object
  }
}
