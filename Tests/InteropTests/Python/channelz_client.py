"""Asks a server what channelz shows of it, as gRPC's own package does: channelz_client.py TARGET

TARGET is a name such as 127.0.0.1:8080 or unix:/path. Ends with status 1 and a sentence when
something is not as it should be.
"""

import sys

import grpc
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc


def check(condition, sentence):
    if not condition:
        sys.exit(f"not so: {sentence}")


with grpc.insecure_channel(sys.argv[1]) as channel:
    empty_call = channel.unary_unary("/grpc.testing.TestService/EmptyCall")
    for _ in range(3):
        check(empty_call(b"", timeout=20) == b"", "EmptyCall answers")
    try:
        channel.unary_unary("/grpc.testing.TestService/UnimplementedCall")(b"", timeout=20)
        sys.exit("not so: UnimplementedCall fails")
    except grpc.RpcError as error:
        check(error.code() == grpc.StatusCode.UNIMPLEMENTED, f"the status is {error.code()}")

    channelz = channelz_pb2_grpc.ChannelzStub(channel)
    servers = channelz.GetServers(channelz_pb2.GetServersRequest(), timeout=20)
    check(servers.end and len(servers.server) == 1, "there is one server")
    server = servers.server[0]
    data = server.data
    # This call is the fifth, and has not ended.
    check(data.calls_started == 5, f"{data.calls_started} calls have begun")
    check(data.calls_succeeded == 3, f"{data.calls_succeeded} calls have succeeded")
    check(data.calls_failed == 1, f"{data.calls_failed} calls have failed")
    check(data.last_call_started_timestamp.seconds > 0, "the last call has a time")
    check(len(server.listen_socket) == 1, "it listens on one socket")

    number = server.ref.server_id
    same = channelz.GetServer(channelz_pb2.GetServerRequest(server_id=number), timeout=20)
    check(same.server.ref == server.ref, "a server is found by its number")
    sockets = channelz.GetServerSockets(
        channelz_pb2.GetServerSocketsRequest(server_id=number), timeout=20)
    check(sockets.end and len(sockets.socket_ref) == 1, "there is one connection")
    request = channelz_pb2.GetSocketRequest(socket_id=sockets.socket_ref[0].socket_id)
    socket = channelz.GetSocket(request, timeout=20).socket
    check(socket.data.streams_started == 8, f"{socket.data.streams_started} streams have begun")
    check(socket.data.messages_received == 7 or socket.data.messages_received == 8,
          f"{socket.data.messages_received} messages came")
    check(socket.data.local_flow_control_window.value > 0, "the connection has a window")
    check(socket.HasField("local") and socket.HasField("remote"), "the connection has addresses")

    check(channelz.GetTopChannels(channelz_pb2.GetTopChannelsRequest(), timeout=20).end,
          "there is no channel")
    for method, request in [
        (channelz.GetServer, channelz_pb2.GetServerRequest(server_id=1 << 40)),
        (channelz.GetSocket, channelz_pb2.GetSocketRequest(socket_id=1 << 40)),
        (channelz.GetChannel, channelz_pb2.GetChannelRequest(channel_id=1 << 40)),
        (channelz.GetSubchannel, channelz_pb2.GetSubchannelRequest(subchannel_id=1 << 40)),
    ]:
        try:
            method(request, timeout=20)
            sys.exit("not so: what is not there is not found")
        except grpc.RpcError as error:
            check(error.code() == grpc.StatusCode.NOT_FOUND, f"the status is {error.code()}")
print("channelz is as it should be")
