import KartProcess

extension Option<Bool> {
  /// A switch that is given with its value, as gRPC's interop programs take it: `--use_tls=true`.
  static func truth(_ name: String, help: String) -> Self {
    .value(name, "true|false", default: false, help: help, expecting: "true or false") {
      Bool($0.lowercased())
    }
  }
}
