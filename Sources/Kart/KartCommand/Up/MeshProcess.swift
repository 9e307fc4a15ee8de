/// A process of the mesh, as it is run.
struct MeshProcess: Hashable, Sendable {
  /// What its lines begin with.
  var name: String
  /// The path of its executable.
  var executable: String
  /// The words after the executable's name.
  var arguments: [String]
}
