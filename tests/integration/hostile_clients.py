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
    while True:
        await asyncio.get_running_loop().sock_sendall(peer, block)
        await asyncio.sleep(0)


async def discard(peer):
    """Reads until the connection is closed, without looking at the bytes."""
    while await asyncio.get_running_loop().sock_recv(peer, 1 << 20):
        pass


async def send_and_discard(peer, block):
    jobs = [asyncio.create_task(job) for job in (send_for_ever(peer, block), discard(peer))]
    try:
        await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


async def again_and_again(port, attack):
    """Attacks on a new connection whenever the gateway closes the last one."""
    while True:
        try:
            with await connect(port) as peer:
                await attack(peer)
        except OSError:
            pass
        await asyncio.sleep(0.01)


async def floods(port):
    """Calls as fast as possible and reads the responses: its next requests always wait in the buffers."""
    wire = Wire(port, GOOD, modern=True)
    block = b"".join(wire.request(call(id, "echo", {"text": "flood"}, True)) for id in range(50))
    await again_and_again(port, lambda peer: send_and_discard(peer, block))


async def never_reads_http(port):
    """Pipelines calls with long responses."""
    wire = Wire(port, GOOD, modern=True)
    block = b"".join(wire.request(call(id, "echo", {"text": "x" * 20_000}, True)) for id in range(20))
    await again_and_again(port, lambda peer: send_for_ever(peer, block))


def frame(text, opcode=1):
    """A WebSocket frame of a client, masked with a key of zeros."""
    body = text.encode()
    length = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, len(body)) if len(body) > 125 else bytes([0x80 | opcode, 0x80 | len(body)])
    return length + b"\0\0\0\0" + body


async def never_reads_websocket(port, text="{"):
    """Sends messages that need an immediate response."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = (f"GET /s/good/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n")
    block = frame(text) * 1000

    async def attack(peer):
        await asyncio.get_running_loop().sock_sendall(peer, head.encode())
        await send_for_ever(peer, block)

    await again_and_again(port, attack)


async def never_reads_pings(port):
    await never_reads_websocket(port, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))


async def never_reads_sse(port):
    """Opens an HTTP+SSE stream and never reads the responses; posts as fast as possible on another connection."""
    loop = asyncio.get_running_loop()
    body = json.dumps(call(1, "echo", {"text": "x" * 20_000}, False))

    async def attack(stream):
        await loop.sock_sendall(stream, f"GET /s/good/sse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        received = b""
        while b"data:" not in received or not received.split(b"data:")[1].count(b"\n"):
            received += await loop.sock_recv(stream, 4096)
        path = received.split(b"data:")[1].split(b"\n")[0].strip().decode()
        post = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        with await connect(port) as peer:
            await send_and_discard(peer, post.encode() * 20)

    await again_and_again(port, attack)


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
