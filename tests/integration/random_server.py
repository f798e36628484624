"""usage: random_server.py <seed>: an MCP server on stdin and stdout, of the handshake era, that fails at random.

Its responses to `echo` are correct, if they come. It may be slow, stay silent, crash or send garbage; its lists change, and
it sends requests before it answers. Its actions depend only on the seed and the number of requests.
"""
import json
import os
import random
import sys
import time

RNG = random.Random(int(sys.argv[1]) + os.getpid() % 7)
NONSENSE = (b"booting...\n", b"{\n", b'{"jsonrpc":"2.0"}\n', b"\xff\xfe\n", b'{"jsonrpc":"2.0","id":999999,"result":{}}\n', b"[]\n",
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"' + b"x" * 100_000 + b'"}}\n')


def write(data):
    """Writes in pieces, so that a reader gets partial messages."""
    while data:
        size = RNG.randrange(1, len(data) + 1) if RNG.random() < 0.3 else len(data)
        os.write(1, data[:size])
        data = data[size:]


def say(message):
    write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")


class Server:
    def __init__(self):
        self.tools, self.requests_sent = 1, 0

    def misbehave(self, token):
        """Fails at random. Returns False if the call gets no response."""
        chance = RNG.random()
        if chance < 0.04:
            os._exit(RNG.choice([0, 3]))
        if chance < 0.07:
            return False
        if chance < 0.2:
            write(RNG.choice(NONSENSE))
        elif chance < 0.3:
            self.tools = RNG.randrange(1, 30)
            say({"method": f"notifications/{RNG.choice(['tools', 'prompts', 'resources'])}/list_changed"})
        elif chance < 0.4 and token is not None:
            say({"method": "notifications/progress", "params": {"progressToken": token, "progress": RNG.randrange(9)}})
        elif chance < 0.5:
            time.sleep(RNG.random() * 0.05)
        return True

    def question(self):
        self.requests_sent += 1
        method, params = RNG.choice([
            ("elicitation/create", {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}),
            ("sampling/createMessage", {"messages": [], "maxTokens": 1}), ("roots/list", {}), ("ping", {})])
        say({"id": f"q{self.requests_sent}", "method": method, "params": params})

    def result(self, method, params):
        if method == "initialize":
            offers = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}, "logging": {}}
            return {"protocolVersion": "2025-11-25", "capabilities": offers, "serverInfo": {"name": "random", "version": "1"}}
        if method == "tools/list":
            names = ["echo"] + [f"tool_{RNG.randrange(100)}" for _ in range(self.tools)]
            return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in dict.fromkeys(names)]}
        if method == "prompts/list":
            return {"prompts": [{"name": f"prompt_{self.tools}"}]}
        if method == "tools/call" and params.get("name") == "echo":
            return {"content": [{"type": "text", "text": params["arguments"].get("text", "")}]}
        return {} if method == "ping" else None

    def serve(self, message):
        if "id" not in message or "method" not in message:
            return
        params = message.get("params", {})
        if message["method"] == "tools/call":
            if not self.misbehave(params.get("_meta", {}).get("progressToken")):
                return
            if RNG.random() < 0.1:
                self.question()
        result = self.result(message["method"], params)
        if result is None:
            say({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        else:
            say({"id": message["id"], "result": result})


def main():
    server = Server()
    for line in sys.stdin:
        message = json.loads(line)
        for each in message if isinstance(message, list) else [message]:
            server.serve(each)


try:
    main()
except BrokenPipeError:
    os._exit(0)
