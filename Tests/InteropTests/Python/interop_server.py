"""Serves grpc.testing.TestService with grpcio: interop_server.py STUBS ADDRESS [CERTIFICATE KEY]

STUBS is the folder with the code generated from the protos; ADDRESS is where to listen. With the
files of a CERTIFICATE and its KEY, connections are protected with TLS. A line says where it listens
once it does.
"""

import pathlib
import sys
from concurrent import futures

import interop_client

interop_client.extend_grpc(sys.argv[1])

import grpc  # noqa: E402
from grpc.testing import empty_pb2, messages_pb2, test_pb2_grpc  # noqa: E402

ECHO_INITIAL = "x-grpc-test-echo-initial"
ECHO_TRAILING = "x-grpc-test-echo-trailing-bin"


def echo_metadata(context):
    for key, value in context.invocation_metadata():
        if key == ECHO_INITIAL:
            context.send_initial_metadata(((key, value),))
        elif key == ECHO_TRAILING:
            context.set_trailing_metadata(((key, value),))


def echo_status(request, context):
    if request.HasField("response_status") and request.response_status.code:
        code = next(c for c in grpc.StatusCode if c.value[0] == request.response_status.code)
        context.abort(code, request.response_status.message)


def payload(size):
    return messages_pb2.Payload(body=b"\0" * size)


class TestService(test_pb2_grpc.TestServiceServicer):
    def EmptyCall(self, request, context):
        echo_metadata(context)
        return empty_pb2.Empty()

    def UnaryCall(self, request, context):
        if request.response_compressed.value:
            context.set_compression(grpc.Compression.Gzip)
        echo_metadata(context)
        echo_status(request, context)
        return messages_pb2.SimpleResponse(payload=payload(request.response_size))

    CacheableUnaryCall = UnaryCall

    def StreamingOutputCall(self, request, context):
        context.set_compression(grpc.Compression.Gzip)
        echo_metadata(context)
        yield from self.answer(request, context)

    def StreamingInputCall(self, requests, context):
        echo_metadata(context)
        size = sum(len(request.payload.body) for request in requests)
        return messages_pb2.StreamingInputCallResponse(aggregated_payload_size=size)

    def FullDuplexCall(self, requests, context):
        echo_metadata(context)
        for request in requests:
            yield from self.answer(request, context)

    def answer(self, request, context):
        for parameters in request.response_parameters:
            if not parameters.compressed.value:
                context.disable_next_message_compression()
            yield messages_pb2.StreamingOutputCallResponse(payload=payload(parameters.size))
        echo_status(request, context)


def main():
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=32), options=[("grpc.so_reuseport", 0)])
    test_pb2_grpc.add_TestServiceServicer_to_server(TestService(), server)
    address = sys.argv[2]
    if len(sys.argv) > 3:
        certificate, key = (pathlib.Path(path).read_bytes() for path in sys.argv[3:5])
        credentials = grpc.ssl_server_credentials([(key, certificate)])
        port = server.add_secure_port(address, credentials)
    else:
        port = server.add_insecure_port(address)
    server.start()
    print("listening on", address if address.startswith("unix:") else f"127.0.0.1:{port}",
          flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
