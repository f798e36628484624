#!/usr/bin/env python3
"""Soak test of a server over HTTP: idle streams, sessions opened and dropped, clients that disconnect at any moment.

usage: http_soak.py <fairlead> [--streams N] [--sessions N] [--requests N] [--workers N] [--seed N] [--any-memory]

Everything runs twice. Exit 0 if every request that was not cut off was answered, the server still serves, no descriptor
leaked, and the second run needed at most 10 % more memory than the first.
"""
import argparse
import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import time

from conformance_server import conformance_server

INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def resident(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def descriptors(pid):
    import os
    return len(os.listdir(f"/proc/{pid}/fd"))


def head(method, headers, length=None):
    lines = [f"{method} /mcp HTTP/1.1", "Host: localhost:%d" % PORT, "Accept: application/json, text/event-stream"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if length is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {length}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def post(message, headers={}):
    body = json.dumps(message).encode()
    return head("POST", headers, len(body)) + body


async def read_answer(reader):
    raw = await reader.readuntil(b"\r\n\r\n")
    status = int(raw.split(b" ", 2)[1])
    fields = {}
    for line in raw.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        fields[name.strip().lower().decode()] = value.strip().decode()
    if fields.get("transfer-encoding") == "chunked":
        if "event-stream" in fields.get("content-type", "") and status == 200:
            return status, fields, None
    body = await reader.readexactly(int(fields.get("content-length", "0")))
    return status, fields, body


async def connect():
    return await asyncio.open_connection("127.0.0.1", PORT)


async def exchange(reader, writer, data):
    writer.write(data)
    return await asyncio.wait_for(read_answer(reader), 60)


async def open_session(reader, writer):
    status, fields, _ = await exchange(reader, writer, post(INITIALIZE))
    assert status == 200, status
    session = {"Mcp-Session-Id": fields["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
    status, _, _ = await exchange(reader, writer, post({"jsonrpc": "2.0", "method": "notifications/initialized"}, session))
    assert status == 202, status
    return session


async def in_parallel(count, at_once, job):
    left = iter(range(count))

    async def work():
        for index in left:
            await job(index)
    await asyncio.gather(*[work() for _ in range(at_once)])


async def idle_streams(count):
    held = []

    async def hold(_):
        reader, writer = await connect()
        session = await open_session(reader, writer)
        status, _, _ = await exchange(reader, writer, head("GET", session))
        assert status == 200, status
        held.append((reader, writer, session))
    await in_parallel(count, 50, hold)
    peak = resident(SERVER.pid)

    async def release_stream(index):
        reader, writer, session = held[index]
        writer.close()
        reader, writer = await connect()
        status, _, _ = await exchange(reader, writer, head("DELETE", session))
        assert status == 200, status
        writer.close()
    await in_parallel(count, 50, release_stream)
    return peak


async def sessions_made_and_dropped(count):
    async def job(_):
        reader, writer = await connect()
        session = await open_session(reader, writer)
        status, _, _ = await exchange(reader, writer, head("DELETE", session))
        assert status == 200, status
        writer.close()
    await in_parallel(count, 20, job)


def a_request(index, session):
    tool = random.choice(["echo", "echo", "test_tool_with_progress", "test_simple_text"])
    params = {"name": tool, "arguments": {"text": "x" * random.choice([1, 10, 5000])} if tool == "echo" else {}}
    message = {"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": params}
    if session:
        if tool == "test_tool_with_progress":
            params["_meta"] = {"progressToken": index}
        return post(message, session)
    params["_meta"] = dict(META, progressToken=index)
    return post(message, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool})


async def hang_up_at_random(count):
    answered = 0
    sessions = []

    async def worker(share, number):
        nonlocal answered
        reader = writer = session = None
        for index in range(share):
            try:
                if writer is None:
                    reader, writer = await connect()
                    session = await open_session(reader, writer) if random.random() < 0.3 else None
                    if session:
                        sessions.append(session)
                data = a_request(number * 1_000_000 + index, session)
                chance = random.random()
                if chance < 0.85 and b"progress" not in data:
                    status, _, body = await exchange(reader, writer, data)
                    assert status == 200 and b'"result"' in body, (status, body)
                    answered += 1
                    continue
                # The others disconnect: within the request, right after it, or within the response.
                cut = random.choice([random.randrange(len(data)), len(data)])
                writer.write(data[:cut])
                await writer.drain()
                if random.random() < 0.5:
                    try:
                        await asyncio.wait_for(reader.read(random.choice([1, 100])), 0.02)
                    except asyncio.TimeoutError:
                        pass
            except (ConnectionError, asyncio.IncompleteReadError):
                raise AssertionError("the server closed the connection of a complete request")
            if random.random() < 0.5:
                writer.transport.abort()
            else:
                writer.close()
            writer = None
        if writer:
            writer.close()
    workers = 40
    await asyncio.gather(*[worker(count // workers, n) for n in range(workers)])

    async def drop(index):
        reader, writer = await connect()
        status, _, _ = await exchange(reader, writer, head("DELETE", sessions[index]))
        assert status == 200, status
        writer.close()
    await in_parallel(len(sessions), 20, drop)
    return answered


async def settled(before, open_before):
    """Waits until memory and descriptors are back to normal, with a time limit. Returns the memory."""
    for _ in range(600):
        if resident(SERVER.pid) <= before * 1.1 and descriptors(SERVER.pid) <= open_before + 1:
            break
        await asyncio.sleep(0.1)
    return resident(SERVER.pid)


async def main(options):
    fresh = resident(SERVER.pid)
    peak = await idle_streams(options.streams)
    print(f"{options.streams} idle streams: {(peak - fresh) / options.streams:.1f} KB each")
    await sessions_made_and_dropped(options.sessions)
    await hang_up_at_random(options.requests)
    await asyncio.sleep(1)
    before, open_before = resident(SERVER.pid), descriptors(SERVER.pid)
    await idle_streams(options.streams)
    await sessions_made_and_dropped(options.sessions)
    answered = await hang_up_at_random(options.requests)
    print(f"{options.sessions} sessions made and dropped; {options.requests} requests, {answered} of them answered, the rest cut off")
    reader, writer = await connect()
    status, _, body = await exchange(reader, writer, post(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "alive"}, "_meta": META}},
        {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"}))
    assert status == 200 and b"alive" in body, (status, body)
    writer.close()
    after = await settled(before, open_before)
    print(f"memory: {fresh} KB fresh, {before} KB after the first time, {after} KB after the second; "
          f"descriptors: {open_before} before, {descriptors(SERVER.pid)} after")
    assert descriptors(SERVER.pid) <= open_before + 1, "descriptors leaked"
    if not options.any_memory:
        assert after <= before * 1.1, "memory was not released"


parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--streams", type=int, default=500)
parser.add_argument("--sessions", type=int, default=1000)
parser.add_argument("--requests", type=int, default=4000)
parser.add_argument("--workers", default="2")
parser.add_argument("--seed", type=int, default=None)
parser.add_argument("--any-memory", action="store_true", help="sanitizers keep what was freed")
arguments = parser.parse_args()
seed = arguments.seed if arguments.seed is not None else time.time_ns() % 1_000_000
random.seed(seed)
print(f"seed {seed}")
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
SERVER = subprocess.Popen([conformance_server(arguments.program), "--http", "127.0.0.1:0", "--workers", arguments.workers],
                          stderr=subprocess.PIPE)
try:
    found = None
    while not found:
        line = SERVER.stderr.readline().decode()
        if not line:
            sys.exit("the server did not start")
        found = re.search(r"listening on \w+://\S+:(\d+)/mcp", line)
    PORT = int(found.group(1))
    asyncio.run(main(arguments))
    assert SERVER.poll() is None, "the server ended"
finally:
    SERVER.terminate()
    SERVER.wait(30)
sys.exit(SERVER.returncode)
