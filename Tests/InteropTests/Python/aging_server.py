"""Echoes bytes with grpcio, and asks its clients for other connections all the time: aging_server.py ADDRESS AGE

AGE is how old connections grow, in milliseconds. Calls of methods named Unary have one message each
way, others any number. A line says where it listens once it does.
"""

import sys
from concurrent import futures

import grpc


class Echo(grpc.GenericRpcHandler):
    def service(self, call):
        if call.method.endswith("/Unary"):
            return grpc.unary_unary_rpc_method_handler(lambda request, context: request)
        return grpc.stream_stream_rpc_method_handler(lambda requests, context: requests)


def main():
    address, age = sys.argv[1], int(sys.argv[2])
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=32), handlers=[Echo()],
        options=[("grpc.max_connection_age_ms", age),
                 ("grpc.max_connection_age_grace_ms", 60_000)])
    server.add_insecure_port(address)
    server.start()
    print("listening on", address, flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
