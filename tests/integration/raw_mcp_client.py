"""A raw MCP client over HTTP, for tests that disconnect, never read, or count bytes."""
import asyncio
import json

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def initialize(capabilities=None):
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": capabilities or {}, "clientInfo": {"name": "wire", "version": "1"}}}


def request_text(id, method, params, modern, meta=None):
    if modern:
        params = params | {"_meta": META | (meta or {})}
    elif meta:
        params = params | {"_meta": meta}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call(id, tool, arguments, modern, meta=None):
    return request_text(id, "tools/call", {"name": tool, "arguments": arguments}, modern, meta)


class Wire:
    """One connection to one path, for one session of one era."""

    def __init__(self, port, path, modern, timeout=60):
        self.port, self.path, self.modern, self.timeout = port, path, modern, timeout
        self.session = None
        self.reader = self.writer = None

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    def head(self, method, more=()):
        lines = [f"{method} {self.path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *more]
        if not self.modern and self.session:
            lines += [f"Mcp-Session-Id: {self.session}", "MCP-Protocol-Version: 2025-11-25"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def request(self, message):
        body = json.dumps(message).encode()
        more = ["Content-Type: application/json", "Accept: application/json, text/event-stream", f"Content-Length: {len(body)}"]
        if self.modern and "method" in message:
            more += ["MCP-Protocol-Version: 2026-07-28", f"Mcp-Method: {message['method']}"]
            if name := message.get("params", {}).get("name", message.get("params", {}).get("uri")):
                more.append(f"Mcp-Name: {name}")
        return self.head("POST", more) + body

    async def answer_head(self):
        raw = await self.reader.readuntil(b"\r\n\r\n")
        fields = {line.split(b":")[0].lower(): line.split(b":", 1)[1].strip() for line in raw.split(b"\r\n")[1:] if b":" in line}
        if b"mcp-session-id" in fields:
            self.session = fields[b"mcp-session-id"].decode()
        return int(raw.split(b" ", 2)[1]), fields

    async def chunks(self):
        while size := int((await self.reader.readuntil(b"\r\n")).strip(), 16):
            yield (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readexactly(2)

    async def messages(self, fields):
        """Yields the messages of a response as they arrive."""
        if fields.get(b"transfer-encoding") != b"chunked":
            body = await self.reader.readexactly(int(fields.get(b"content-length", b"0")))
            # A path that a reload removed is rejected in plain text.
            if body and b"json" in fields.get(b"content-type", b""):
                yield json.loads(body)
            return
        rest = b""
        async for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.startswith(b"data:") and line[5:].strip():
                    yield json.loads(line[5:])

    async def exchange(self, message):
        """The status and the last message, which is the response."""
        self.writer.write(self.request(message))
        await self.writer.drain()
        return await asyncio.wait_for(self.read_answer(), self.timeout)

    async def read_answer(self):
        status, fields = await self.answer_head()
        last = None
        async for message in self.messages(fields):
            last = message
        return status, last

    def abort(self):
        if self.writer:
            self.writer.transport.abort()

    async def delete(self):
        """Deletes the session, on another connection."""
        self.abort()
        if not self.session:
            return
        try:
            await self.open()
            self.writer.write(self.head("DELETE"))
            await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), self.timeout)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        self.abort()
