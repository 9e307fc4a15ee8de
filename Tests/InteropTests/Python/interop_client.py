"""Runs a case against a server: interop_client.py STUBS TARGET CASE [ROOT]

STUBS is the folder with the code generated from the protos, TARGET a name such as 127.0.0.1:8080
or unix:/path. With the file of a ROOT certificate, connections are protected with TLS.
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

    def connect():
        if len(sys.argv) < 5:
            return grpc.insecure_channel(sys.argv[2])
        root = pathlib.Path(sys.argv[4]).read_bytes()
        return grpc.secure_channel(sys.argv[2], grpc.ssl_channel_credentials(root))

    interop_cases.run(sys.argv[3], connect)
    print(f"{sys.argv[3]} passed")
