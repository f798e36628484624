"""A server process under test, connected by pipes."""
import json
import os
import selectors
import subprocess

TIMEOUT = 60  # Seconds; sanitizer builds start slowly.


def counted(text, count=None):
    body = text.encode()
    return b"Content-Length: %d\r\n\r\n" % (len(body) if count is None else count) + body


class ServerProcess:
    def __init__(self, *command, env=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=env and os.environ | env)
        self.buffer = b""
        self.reader = selectors.DefaultSelector()
        self.reader.register(self.process.stdout, selectors.EVENT_READ)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def send(self, data):
        self.process.stdin.write(data if isinstance(data, bytes) else data.encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params=None, id=1):
        message = {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})
        self.send(json.dumps(message))
        return self.receive()

    def receive(self):
        """The next message in either framing; checks its Content-Length."""
        head = self.read_until(b"\n")
        if not head.startswith(b"Content-Length: "):
            return json.loads(head)
        assert self.read_until(b"\n") == b"\r\n", head
        return json.loads(self.read(int(head.split()[1])))

    def framing_of_next(self):
        while not self.buffer:
            self.fill()
        return "counted" if self.buffer.startswith(b"C") else "line"

    def read_until(self, mark):
        while mark not in self.buffer:
            self.fill()
        return self.read(self.buffer.index(mark) + len(mark))

    def read(self, size):
        while len(self.buffer) < size:
            self.fill()
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def fill(self):
        if not self.reader.select(TIMEOUT):
            raise AssertionError(f"no response; so far {self.buffer!r}")
        data = os.read(self.process.stdout.fileno(), 65536)
        if not data:
            raise AssertionError(f"the server ended; so far {self.buffer!r}; it printed {self.process.stderr.read()!r}")
        self.buffer += data

    def rest(self):
        """Closes stdin and returns all output until the server exits."""
        self.process.stdin.close()
        printed = self.buffer + self.process.stdout.read()
        return printed, self.wait()

    def wait(self):
        return self.process.wait(timeout=TIMEOUT)

    def descriptors(self):
        """The open descriptors of the server."""
        folder = f"/proc/{self.process.pid}/fd"
        return [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]
