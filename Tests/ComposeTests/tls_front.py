"""What a platform such as Cloud Run has in front of a server: it ends TLS, and passes HTTP/2 on without."""

import socket
import ssl
import threading

from stack import run


class TLSFront:
    """Listens with TLS on a port of its own, and passes on to a server without TLS."""

    def __init__(self, folder, server):
        self.server = server
        self.certificate = folder / "front.pem"
        key = folder / "front.key"
        run(
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate),
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        context.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"localhost:{listener.getsockname()[1]}"
        self.listener = context.wrap_socket(listener, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        try:
            client.do_handshake()
            server = socket.create_connection(self.server)
        except OSError:
            client.close()
            return
        threading.Thread(target=self.copy, args=[server, client], daemon=True).start()
        self.copy(client, server)

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        finally:
            target.close()

    def close(self):
        self.listener.close()
