"""grpcio at the other end of a TLS connection: `call TARGET FOLDER` or `serve FOLDER`.

FOLDER holds root.pem, cert.pem and key.pem. Both sides show their certificate and verify the other's.
"""

import sys
from concurrent import futures
from pathlib import Path

import grpc


def read(folder):
    return [(Path(folder) / name).read_bytes() for name in ("root.pem", "key.pem", "cert.pem")]


def call(target, folder):
    root, key, cert = read(folder)
    credentials = grpc.ssl_channel_credentials(root, key, cert)
    with grpc.secure_channel(target, credentials) as channel:
        echo = channel.unary_unary("/test.Echo/Unary")
        for size in (0, 5, 100_000):
            message = bytes(range(250)) * (size // 250 + 1)
            response, call = echo.with_call(message, timeout=20)
            assert response == message, len(response)
        print("peer", dict(call.initial_metadata())["peer"])


class Echo(grpc.GenericRpcHandler):
    def service(self, details):
        def answer(request, context):
            subject = context.auth_context()["x509_common_name"][0].decode()
            context.send_initial_metadata((("peer", subject),))
            return request

        return grpc.unary_unary_rpc_method_handler(answer)


def serve(folder):
    root, key, cert = read(folder)
    server = grpc.server(futures.ThreadPoolExecutor(4), handlers=(Echo(),))
    credentials = grpc.ssl_server_credentials([(key, cert)], root, require_client_auth=True)
    print("port", server.add_secure_port("127.0.0.1:0", credentials), flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0)


{"call": call, "serve": serve}[sys.argv[1]](*sys.argv[2:])
