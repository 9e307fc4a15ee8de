"""Runs a case against a server: interop_client.py STUBS TARGET CASE

STUBS is the folder with the code generated from the protos, TARGET a name such as 127.0.0.1:8080
or unix:/path.
"""

import pathlib
import sys


def extend_grpc(stubs):
    """Has `grpc.testing` be the generated package: grpcio's own `grpc` is in the way."""
    import grpc

    grpc.__path__.insert(0, str(pathlib.Path(stubs) / "grpc"))
    sys.path.insert(0, stubs)


if __name__ == "__main__":
    extend_grpc(sys.argv[1])
    import grpc
    import interop_cases

    options = [("grpc.max_receive_message_length", -1)]
    interop_cases.run(sys.argv[3], lambda: grpc.insecure_channel(sys.argv[2], options=options))
    print(f"{sys.argv[3]} passed")
