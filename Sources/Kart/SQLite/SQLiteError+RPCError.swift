import GRPCCore

extension SQLiteError: RPCErrorConvertible {
  /// What the refusal means for the call that met it.
  package var rpcErrorCode: RPCError.Code {
    switch kind {
    case .locked, .moved: .unavailable
    case .diskFull: .resourceExhausted
    case .corrupt, .notADatabase: .dataLoss
    case .readOnly, .cannotOpen, .constraint, .inputOutput, .newerSchema, .otherKind, .other:
      .internalError
    }
  }

  package var rpcErrorMessage: String {
    description
  }
}
