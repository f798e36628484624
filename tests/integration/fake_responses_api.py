"""A local fake of OpenAI's Responses API, over HTTP or TLS. Validates the requests that it gets."""
import json
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TIMEOUT = 60  # Seconds.
HOLD = object()  # Instead of a reply: wait until the client disconnects.


def message(text, annotations=()):
    return {"type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": text, "annotations": list(annotations)}]}


def search(**members):
    return {"type": "web_search_call", "status": "completed", **members}


def reply(*output, status=200, headers=None, **members):
    """A reply of the API; `members` are added beside the output."""
    return status, {"id": "resp_1", "object": "response", "output": list(output), **members}, headers or {}


def error(status, text="no", type="some_error", **headers):
    return status, {"error": {"message": text, "type": type}}, {name.replace("_", "-"): value for name, value in headers.items()}


def wrong_with(body):
    """Lists unexpected and missing members of a request body."""
    found = []
    if extra := set(body) - {"model", "instructions", "input", "tools", "include", "text", "reasoning"}:
        found.append(f"unknown members {extra}")
    for name in ("model", "instructions"):
        if not isinstance(body.get(name), str) or not body[name]:
            found.append(f"{name} is not a string")
    if body.get("tools") != [{"type": "web_search"}]:
        found.append("tools")
    if body.get("include") != ["web_search_call.action.sources"]:
        found.append("include")
    try:
        [sent] = body["input"]
        [part] = sent["content"]
        if sent["role"] != "user" or part["type"] != "input_text" or "\n[Hints] " not in part["text"]:
            found.append("input")
    except (KeyError, ValueError, TypeError):
        found.append("input")
    model = body.get("model", "")
    if ("text" in body) != model.startswith("gpt-5") or body.get("text", {"verbosity": "low"}).keys() != {"verbosity"}:
        found.append("text")
    thinks = model.startswith(("gpt-5", "o3", "o4"))
    if ("reasoning" in body) != thinks or body.get("reasoning", {"effort": "low"}).keys() != {"effort"}:
        found.append("reasoning")
    return found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        stand_in = self.server.stand_in
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = stand_in.note(self.path, dict(self.headers), body)
        if turn is HOLD:
            self.close_connection = True
            try:
                self.connection.settimeout(TIMEOUT)
                self.connection.recv(1)
            except OSError:
                pass
            stand_in.hung_up.set()
            return
        status, content, headers = turn
        content = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        try:
            self.send_response(status)
            for name, value in ({"Content-Type": "application/json", "Content-Length": str(len(content))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            stand_in.hung_up.set()
        if "Connection" in headers:
            self.close_connection = True


class FakeResponsesApi:
    """Answers with `turns` in order, then repeats the last one."""

    def __init__(self, *turns, certificate=None):
        self.turns, self.seen, self.problems = list(turns), [], []
        self.hung_up, self.lock, self.arrived = threading.Event(), threading.Lock(), threading.Semaphore(0)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None
        self.server.stand_in = self
        self.scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.with_suffix(".pem"), certificate.with_suffix(".key"))
            # The TLS handshake runs in the connection's thread, so that a failure does not stop the others.
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
            self.scheme = "https"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def port(self):
        return self.server.server_address[1]

    @property
    def url(self):
        return f"{self.scheme}://localhost:{self.port}/v1"

    @property
    def bodies(self):
        return [body for _, _, body in self.seen]

    def note(self, path, headers, body):
        with self.lock:
            self.seen.append((path, headers, body))
            self.problems += wrong_with(body)
            if not path.endswith("/v1/responses"):
                self.problems.append(f"path {path}")
            self.arrived.release()
            return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]

    def wait_for_request(self):
        assert self.arrived.acquire(timeout=TIMEOUT), "no request arrived"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def make_certificates(folder):
    """Creates a temporary authority `ca.pem`, and `server.pem` with `server.key`, signed for localhost."""
    folder = Path(folder)

    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=folder)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Throw-away authority")
    openssl("req", "-x509", *key, "-keyout", "server.key", "-out", "server.pem", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE",
            "-CA", "ca.pem", "-CAkey", "ca.key")
    return folder / "server"
