extension Option<Bool> {
  /// A switch that is given with its value, as gRPC's interop programs take it: `--use_tls=true`.
  package static func truth(_ name: String, default value: Bool = false, help: String) -> Self {
    .value(name, "true|false", default: value, help: help, expecting: "true or false") {
      Bool($0.lowercased())
    }
  }
}
