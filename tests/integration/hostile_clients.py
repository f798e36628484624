"""Hostile clients: each kind is a coroutine that runs until it is cancelled."""
import asyncio
import base64
import json
import os
import socket
import struct

from raw_mcp_client import Wire, call

GOOD = "/s/good/mcp"


async def connect(port):
    loop = asyncio.get_running_loop()
    peer = socket.socket()
    peer.setblocking(False)
    await loop.sock_connect(peer, ("127.0.0.1", port))
    return peer


async def send_for_ever(peer, block):
    """Sends until the connection is closed; blocks while the peer does not read."""
    loop = asyncio.get_running_loop()
    try:
        while True:
            await loop.sock_sendall(peer, block)
    except OSError:
        await asyncio.Event().wait()
    finally:
        peer.close()


async def floods(port):
    """Calls as fast as possible and reads the responses."""
    while True:
        wire = Wire(port, GOOD, modern=True)
        try:
            await wire.open()
            block = b"".join(wire.request(call(id, "echo", {"text": "flood"}, True)) for id in range(50))
            while True:
                wire.writer.write(block)
                await wire.writer.drain()
                for _ in range(50):
                    await wire.read_answer()
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.1)
        finally:
            wire.abort()


async def never_reads_http(port):
    """Pipelines calls with long responses."""
    wire = Wire(port, GOOD, modern=True)
    block = b"".join(wire.request(call(id, "echo", {"text": "x" * 20_000}, True)) for id in range(20))
    await send_for_ever(await connect(port), block)


def frame(text, opcode=1):
    """A WebSocket frame of a client, masked with a key of zeros."""
    body = text.encode()
    length = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, len(body)) if len(body) > 125 else bytes([0x80 | opcode, 0x80 | len(body)])
    return length + b"\0\0\0\0" + body


async def never_reads_websocket(port, text="{"):
    """Sends messages that need an immediate response."""
    peer = await connect(port)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (f"GET /s/good/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n")
    await asyncio.get_running_loop().sock_sendall(peer, head.encode())
    await send_for_ever(peer, frame(text) * 1000)


async def never_reads_pings(port):
    await never_reads_websocket(port, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))


async def never_reads_sse(port):
    """Opens an HTTP+SSE stream and never reads the responses."""
    loop = asyncio.get_running_loop()
    peer = await connect(port)
    await loop.sock_sendall(peer, f"GET /s/good/sse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
    printed = b""
    while b"data:" not in printed or not printed.split(b"data:")[1].count(b"\n"):
        printed += await loop.sock_recv(peer, 4096)
    path = printed.split(b"data:")[1].split(b"\n")[0].strip().decode()
    body = json.dumps(call(1, "echo", {"text": "x" * 20_000}, False))
    post = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while True:
            writer.write(post.encode() * 20)
            await writer.drain()
            await reader.read(65536)
    except OSError:
        await asyncio.Event().wait()
    finally:
        peer.close()
        writer.transport.abort()


async def hangs(port):
    """Starts requests and never completes them."""
    data = Wire(port, GOOD, modern=True).request(call(1, "echo", {"text": "x" * 1000}, True))
    peers = [await connect(port) for _ in range(50)]
    try:
        for index, peer in enumerate(peers):
            await asyncio.get_running_loop().sock_sendall(peer, data[: len(data) * index // len(peers)])
        await asyncio.Event().wait()
    finally:
        for peer in peers:
            peer.close()


async def calls(port, server):
    """Calls a hostile server and waits without a limit."""
    while True:
        wire = Wire(port, f"/s/{server}/mcp", modern=True, timeout=600)
        try:
            await wire.open()
            await wire.exchange(call(1, f"call_{server}", {}, True))
        except (OSError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            wire.abort()
        await asyncio.sleep(0.2)


KINDS = {kind.__name__: kind for kind in (floods, never_reads_http, never_reads_websocket, never_reads_pings, never_reads_sse, hangs)}
