"""A trace collector for tests: OTLP over HTTP, in JSON."""
import http.server
import json
import threading

TIMEOUT = 60  # Seconds.


class Receiver:
    """Its mood is well, busy, silent or garbage."""

    def __init__(self, mood="well"):
        self.mood, self.spans, self.requests = mood, [], []
        self.more = threading.Condition()
        self.release_stream = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.take(self, body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # Stopping gateways disconnect.
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.release_stream.set()
        self.server.shutdown()
        self.server.server_close()

    def take(self, handler, body):
        with self.more:
            mood = self.mood
            self.requests.append((handler.path, dict(handler.headers)))
            if mood == "well":
                self.spans += read_spans(body)
            self.more.notify_all()
        if mood == "silent":
            self.release_stream.wait(TIMEOUT)
        if mood == "garbage":
            handler.wfile.write(b"\x00\xff this is not HTTP at all\r\n\r\n")
            handler.close_connection = True
            return
        answer = b'{"partialSuccess":{}}' if mood == "well" else b"<busy>"
        handler.send_response(503 if mood == "busy" else 200)
        handler.send_header("Content-Length", str(len(answer)))
        handler.end_headers()
        handler.wfile.write(answer)

    def wait_for(self, condition, what):
        with self.more:
            if not self.more.wait_for(condition, TIMEOUT):
                raise AssertionError(f"{what} never came; so far {self.spans} and {self.requests}")

    def spans_of(self, name, count):
        """Waits until there are this many spans of that name. Returns them."""
        def find():
            return [span for span in self.spans if span["name"] == name]
        self.wait_for(lambda: len(find()) >= count, f"{count} spans {name}")
        return find()


def read_spans(body):
    """All spans as a flat list, each with its service name and a dict of attributes."""
    def plain(attributes):
        return {each["key"]: each["value"]["stringValue"] for each in attributes}
    spans = []
    for resource in json.loads(body)["resourceSpans"]:
        service = plain(resource["resource"]["attributes"])["service.name"]
        for scope in resource["scopeSpans"]:
            assert scope["scope"]["name"] == "fairlead", scope
            for span in scope["spans"]:
                spans.append(span | {"service": service, "attributes": plain(span["attributes"])})
    return spans
