"""A server that does to its clients what a scenario says, frame by frame: h2_server.py ADDRESS SCENARIO

ADDRESS is unix:PATH. It answers a request with its message, and with the number of the connection in
the metadata `connection`, but for what the scenario has it do on the first one. A line says where it
listens once it does.
"""

import socket
import sys
import threading
import time

import h2.config
import h2.connection
import h2.events
from hyperframe.frame import GoAwayFrame, RstStreamFrame

NO_ERROR, INTERNAL_ERROR, REFUSED_STREAM, ENHANCE_YOUR_CALM = 0x0, 0x2, 0x7, 0xB
ANY_STREAM = 2**31 - 1


class Peer:
    """The server's side of a connection. Messages keep the prefix that they came with."""

    def __init__(self, sock, number):
        self.sock = sock
        self.number = number
        self.messages = {}
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.connection = h2.connection.H2Connection(config=config)

    def start(self):
        self.connection.initiate_connection()
        self.flush()

    def flush(self):
        self.sock.sendall(self.connection.data_to_send())

    def events(self):
        """What the client sends, until it closes the connection."""
        while data := self.sock.recv(65536):
            for event in self.connection.receive_data(data):
                if isinstance(event, h2.events.DataReceived):
                    self.messages[event.stream_id] = (
                        self.messages.get(event.stream_id, b"") + event.data)
                    self.connection.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id)
                self.flush()
                yield event

    # What h2 would not send any more after a GOAWAY is sent beside it.

    def go_away(self, last, code=NO_ERROR, words=b""):
        self.flush()
        self.sock.sendall(GoAwayFrame(0, last, code, words).serialize())

    def reset(self, stream, code):
        self.flush()
        self.sock.sendall(RstStreamFrame(stream, code).serialize())

    def headers(self, stream):
        self.connection.send_headers(stream, [
            (":status", "200"), ("content-type", "application/grpc"),
            ("connection-number", str(self.number))])
        self.flush()

    def data(self, stream, data):
        for start in range(0, len(data), 16_384):
            self.connection.send_data(stream, data[start:start + 16_384])
        self.flush()

    def trailers(self, stream):
        self.connection.send_headers(stream, [("grpc-status", "0")], end_stream=True)
        self.flush()

    def echo(self, stream):
        self.headers(stream)
        self.data(stream, self.messages.pop(stream, b""))
        self.trailers(stream)


def echo_all(peer):
    peer.start()
    for event in peer.events():
        if isinstance(event, h2.events.StreamEnded):
            peer.echo(event.stream_id)


def on_request(act, echoes):
    """Does something when a request's headers are there, and may answer at its end."""
    def run(peer):
        peer.start()
        for event in peer.events():
            if isinstance(event, h2.events.RequestReceived):
                act(peer, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded) and echoes:
                peer.echo(event.stream_id)
    return run


def at_end(act, count=1):
    """Does something when so many requests are there, whole."""
    def run(peer):
        peer.start()
        streams = []
        for event in peer.events():
            if isinstance(event, h2.events.StreamEnded):
                streams.append(event.stream_id)
                if len(streams) == count:
                    act(peer, *streams)
    return run


def before_settings(peer):
    peer.go_away(0)
    while peer.sock.recv(65536):
        pass


def idle(peer):
    peer.start()
    for event in peer.events():
        if isinstance(event, h2.events.SettingsAcknowledged):
            peer.go_away(0)


def during_response(peer, stream):
    peer.headers(stream)
    message = peer.messages[stream]
    peer.data(stream, message[:3])
    peer.go_away(stream)
    peer.data(stream, message[3:])
    peer.trailers(stream)


def twice(last):
    def act(peer, stream):
        peer.go_away(ANY_STREAM)
        peer.go_away(stream if last is None else last)
    return act


def first_of_two(peer, first, second):
    peer.go_away(first)
    peer.echo(first)


def reset_first(count, code):
    """Resets the first requests of a connection, whether they are whole or not."""
    def run(peer):
        peer.start()
        left = count
        for event in peer.events():
            if isinstance(event, h2.events.RequestReceived) and left > 0:
                left -= 1
                peer.reset(event.stream_id, code)
            elif isinstance(event, h2.events.StreamEnded) and event.stream_id > 2 * count:
                peer.echo(event.stream_id)
    return run


def slow_settings(peer):
    time.sleep(0.3)
    echo_all(peer)


def no_settings(peer):
    while peer.sock.recv(65536):
        pass


def half_open(peer):
    """Reads nothing more once there is a request, as a machine that has lost its power."""
    peer.start()
    for event in peer.events():
        if isinstance(event, h2.events.StreamEnded):
            threading.Event().wait()


def calm_down(peer, stream):
    peer.go_away(0, ENHANCE_YOUR_CALM, b"too_many_pings")
    peer.sock.close()


# What happens on the first connection.
SCENARIOS = {
    "goaway_before_settings": before_settings,
    "goaway_idle": idle,
    "goaway_between_headers_and_data":
        on_request(lambda peer, stream: peer.go_away(stream), echoes=True),
    "goaway_between_headers_and_data_below":
        on_request(lambda peer, stream: peer.go_away(0), echoes=False),
    "goaway_below": at_end(lambda peer, stream: peer.go_away(0)),
    "goaway_during_response": at_end(during_response),
    "goaway_twice": on_request(twice(None), echoes=True),
    "goaway_twice_below": at_end(twice(0)),
    "goaway_of_two": at_end(first_of_two, count=2),
    "goaway_calm_down": at_end(calm_down),
    "refused": reset_first(1, REFUSED_STREAM),
    "refused_twice": reset_first(2, REFUSED_STREAM),
    "failed": reset_first(1, INTERNAL_ERROR),
    "slow_settings": slow_settings,
    "no_settings": no_settings,
    "half_open": half_open,
}


def main():
    path, scenario = sys.argv[1].removeprefix("unix:"), SCENARIOS[sys.argv[2]]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    print(f"listening on unix:{path}", flush=True)
    number = 0
    while True:
        sock, _ = listener.accept()
        number += 1

        def run(peer=Peer(sock, number)):
            try:
                (scenario if peer.number == 1 else echo_all)(peer)
            except OSError:
                pass
        threading.Thread(target=run, daemon=True).start()


if __name__ == "__main__":
    main()
