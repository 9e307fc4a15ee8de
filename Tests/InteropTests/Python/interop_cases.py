"""The cases of gRPC's "Interop Test Case Descriptions", as a client of grpcio runs them.

What grpcio does not let a program see or say (whether a message came compressed; that one message
of a stream goes uncompressed) is left out; the rest of such a case is there.
"""

import itertools
import queue
import time

import grpc
from grpc.testing import empty_pb2, messages_pb2, test_pb2_grpc

LARGE_REQUEST = 271828
LARGE_RESPONSE = 314159
ECHO_INITIAL = "x-grpc-test-echo-initial"
ECHO_TRAILING = "x-grpc-test-echo-trailing-bin"


class Failure(Exception):
    pass


def check(is_so, message):
    if not is_so:
        raise Failure(message)


def payload(size):
    return messages_pb2.Payload(body=b"\0" * size)


def boolean(value):
    return messages_pb2.BoolValue(value=value)


def expect(code, call):
    """Runs what must fail with a status code, and returns the error."""
    try:
        call()
    except grpc.RpcError as error:
        check(error.code() == code, f"the status is {error.code()}, and should be {code}")
        return error
    raise Failure(f"the call succeeded, and should end with {code}")


def large_unary(stub):
    response = stub.UnaryCall(
        messages_pb2.SimpleRequest(response_size=LARGE_RESPONSE, payload=payload(LARGE_REQUEST)))
    check(response.payload == payload(LARGE_RESPONSE), "the response's payload is wrong")


def empty_unary(stub):
    check(stub.EmptyCall(empty_pb2.Empty()) == empty_pb2.Empty(), "the response is not empty")


def cacheable_unary(stub):
    request = messages_pb2.SimpleRequest(
        response_size=16, payload=messages_pb2.Payload(body=str(time.time_ns()).encode()))
    metadata = (("x-user-ip", "1.2.3.4"),)
    first = stub.CacheableUnaryCall(request, metadata=metadata)
    check(first == stub.CacheableUnaryCall(request, metadata=metadata), "the responses differ")


def client_compressed_unary(stub):
    def request(expect_compressed):
        return messages_pb2.SimpleRequest(
            expect_compressed=boolean(expect_compressed), response_size=LARGE_RESPONSE,
            payload=payload(LARGE_REQUEST))

    expect(grpc.StatusCode.INVALID_ARGUMENT,
           lambda: stub.UnaryCall(request(True), compression=grpc.Compression.NoCompression))
    for algorithm in (grpc.Compression.Gzip, grpc.Compression.Deflate,
                      grpc.Compression.NoCompression):
        is_compressed = algorithm != grpc.Compression.NoCompression
        response = stub.UnaryCall(request(is_compressed), compression=algorithm)
        check(response.payload == payload(LARGE_RESPONSE), "the response's payload is wrong")


def server_compressed_unary(stub):
    for is_compressed in (True, False):
        response = stub.UnaryCall(messages_pb2.SimpleRequest(
            response_compressed=boolean(is_compressed), response_size=LARGE_RESPONSE,
            payload=payload(LARGE_REQUEST)))
        check(response.payload == payload(LARGE_RESPONSE), "the response's payload is wrong")


def client_streaming(stub):
    response = stub.StreamingInputCall(
        messages_pb2.StreamingInputCallRequest(payload=payload(size))
        for size in (27182, 8, 1828, 45904))
    check(response.aggregated_payload_size == 74922, "the sum is wrong")


def client_compressed_streaming(stub):
    requests = [
        messages_pb2.StreamingInputCallRequest(
            expect_compressed=boolean(True), payload=payload(size)) for size in (27182, 45904)]
    expect(grpc.StatusCode.INVALID_ARGUMENT,
           lambda: stub.StreamingInputCall(
               iter(requests), compression=grpc.Compression.NoCompression))
    response = stub.StreamingInputCall(iter(requests), compression=grpc.Compression.Gzip)
    check(response.aggregated_payload_size == 73086, "the sum is wrong")


def output_request(parameters):
    return messages_pb2.StreamingOutputCallRequest(response_parameters=[
        messages_pb2.ResponseParameters(size=size, compressed=compressed)
        for size, compressed in parameters])


def check_sizes(responses, sizes):
    for response, size in itertools.zip_longest(responses, sizes):
        check(response is not None and size is not None, "the number of responses is wrong")
        check(response.payload == payload(size), "a response's payload is wrong")


def server_streaming(stub):
    sizes = (31415, 9, 2653, 58979)
    check_sizes(stub.StreamingOutputCall(output_request((size, None) for size in sizes)), sizes)


def server_compressed_streaming(stub):
    check_sizes(
        stub.StreamingOutputCall(
            output_request([(31415, boolean(True)), (92653, boolean(False))])), (31415, 92653))


class Requests:
    """Requests that are handed over one by one while the call goes on."""

    def __init__(self):
        self.queue = queue.Queue()

    def __iter__(self):
        return iter(self.queue.get, None)

    def send(self, request):
        self.queue.put(request)

    def close(self):
        self.queue.put(None)


def duplex_request(response_size, request_size):
    request = output_request([(response_size, None)])
    request.payload.CopyFrom(payload(request_size))
    return request


def ping_pong(stub):
    requests = Requests()
    responses = stub.FullDuplexCall(iter(requests))
    for response_size, request_size in ((31415, 27182), (9, 8), (2653, 1828), (58979, 45904)):
        requests.send(duplex_request(response_size, request_size))
        check(next(responses).payload == payload(response_size), "a response's payload is wrong")
    requests.close()
    check(next(responses, None) is None, "there are too many responses")


def empty_stream(stub):
    check(not list(stub.FullDuplexCall(iter(()))), "there is a response")


def custom_metadata(stub):
    metadata = ((ECHO_INITIAL, "test_initial_metadata_value"), (ECHO_TRAILING, b"\xab\xab\xab"))

    def check_echo(call):
        check(dict(call.initial_metadata()).get(ECHO_INITIAL) == "test_initial_metadata_value",
              "the initial metadata is wrong")
        check(dict(call.trailing_metadata()).get(ECHO_TRAILING) == b"\xab\xab\xab",
              "the trailing metadata is wrong")

    _, call = stub.UnaryCall.with_call(
        messages_pb2.SimpleRequest(response_size=LARGE_RESPONSE, payload=payload(LARGE_REQUEST)),
        metadata=metadata)
    check_echo(call)
    call = stub.FullDuplexCall(
        iter([duplex_request(LARGE_RESPONSE, LARGE_REQUEST)]), metadata=metadata)
    check_sizes(call, [LARGE_RESPONSE])
    check_echo(call)


def status_code_and_message(stub):
    status = messages_pb2.EchoStatus(code=2, message="test status message")
    calls = [
        lambda: stub.UnaryCall(messages_pb2.SimpleRequest(response_status=status)),
        lambda: list(stub.FullDuplexCall(
            iter([messages_pb2.StreamingOutputCallRequest(response_status=status)]))),
    ]
    for call in calls:
        error = expect(grpc.StatusCode.UNKNOWN, call)
        check(error.details() == status.message, f"the message is {error.details()!r}")


def special_status_message(stub):
    message = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
    status = messages_pb2.EchoStatus(code=2, message=message)
    error = expect(grpc.StatusCode.UNKNOWN,
                   lambda: stub.UnaryCall(messages_pb2.SimpleRequest(response_status=status)))
    check(error.details() == message, f"the message is {error.details()!r}")


def unimplemented_method(stub):
    expect(grpc.StatusCode.UNIMPLEMENTED, lambda: stub.UnimplementedCall(empty_pb2.Empty()))


def cancel_after_begin(stub):
    requests = Requests()
    call = stub.StreamingInputCall.future(iter(requests))
    call.cancel()
    check(call.code() == grpc.StatusCode.CANCELLED, f"the status is {call.code()}")
    requests.close()


def cancel_after_first_response(stub):
    requests = Requests()
    call = stub.FullDuplexCall(iter(requests))
    requests.send(duplex_request(31415, 27182))
    check(next(call).payload == payload(31415), "the response's payload is wrong")
    call.cancel()
    expect(grpc.StatusCode.CANCELLED, lambda: next(call))
    requests.close()


def timeout_on_sleeping_server(stub):
    requests = Requests()
    requests.send(messages_pb2.StreamingOutputCallRequest(payload=payload(27182)))
    call = stub.FullDuplexCall(iter(requests), timeout=0.001)
    expect(grpc.StatusCode.DEADLINE_EXCEEDED, lambda: next(call))
    requests.close()


def concurrent_large_unary(stub):
    request = messages_pb2.SimpleRequest(
        response_size=LARGE_RESPONSE, payload=payload(LARGE_REQUEST))
    for call in [stub.UnaryCall.future(request) for _ in range(1000)]:
        check(call.result().payload == payload(LARGE_RESPONSE), "a response's payload is wrong")


def rpc_soak(stub):
    for _ in range(10):
        large_unary(stub)


CASES = {
    case.__name__: case for case in (
        empty_unary, cacheable_unary, large_unary, client_compressed_unary,
        server_compressed_unary, client_streaming, client_compressed_streaming, server_streaming,
        server_compressed_streaming, ping_pong, empty_stream, custom_metadata,
        status_code_and_message, special_status_message, unimplemented_method, cancel_after_begin,
        cancel_after_first_response, timeout_on_sleeping_server, concurrent_large_unary, rpc_soak)
}
CASES["long_lived_channel"] = rpc_soak


def run(name, connect):
    """Runs a case. `connect` opens a channel."""
    if name == "channel_soak":
        for _ in range(10):
            with connect() as channel:
                large_unary(test_pb2_grpc.TestServiceStub(channel))
        return
    with connect() as channel:
        if name == "unimplemented_service":
            stub = test_pb2_grpc.UnimplementedServiceStub(channel)
            return unimplemented_method(stub)
        CASES[name](test_pb2_grpc.TestServiceStub(channel))
