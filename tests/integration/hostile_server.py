"""usage: hostile_server.py flood | deaf | mute | stream: a hostile MCP server.

flood   writes log messages without pause, from its first call on
deaf    stops reading after it listed its tools
mute    reads every call and answers none
stream  like flood over HTTP: answers a call with an endless event stream; prints its port first
"""
import http.server
import json
import os
import sys
import threading

NOTICE = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}})


def answer(name, method):
    """The result of a method; None if unknown."""
    if method == "initialize":
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}},
                "serverInfo": {"name": name, "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": f"call_{name}", "inputSchema": {"type": "object"}}]}
    return {} if method == "ping" else None


def reply_to(message, result):
    if result is None:
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def write_for_ever():
    block = (NOTICE + "\n").encode() * 64
    while True:
        os.write(1, block)


def on_stdio(mode):
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if "id" not in message or method is None:
            continue
        if method == "tools/call":
            if mode == "flood":
                write_for_ever()
            continue
        print(json.dumps(reply_to(message, answer(mode, method))), flush=True)
        if mode == "deaf" and method == "tools/list":
            threading.Event().wait()


class Streaming(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_error(405)

    def do_DELETE(self):
        self.send_error(405)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            return self.finish_with(202, b"")
        if message["method"] == "tools/call":
            return self.stream_for_ever()
        self.finish_with(200, json.dumps(reply_to(message, answer("stream", message["method"]))).encode())

    def finish_with(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream_for_ever(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        block = f"data: {NOTICE}\n\n".encode() * 64
        try:
            while True:
                self.wfile.write(block)
        except OSError:
            self.close_connection = True


def over_http():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Streaming)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()


over_http() if sys.argv[1] == "stream" else on_stdio(sys.argv[1])
