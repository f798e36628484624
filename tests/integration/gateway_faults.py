#!/usr/bin/env python3
"""Breaks everything around a gateway at random moments, and sees that it does not care.

usage: gateway_faults.py <fairlead> [--seconds N] [--clients N] [--seed N] [--any-memory]

Children are killed, a server that is reached by HTTP is killed and started anew, the configuration is reloaded, clients
vanish in the middle of any byte. Exit 0 when every request that was let live has ended in an answer or an error, no
answer was another's, and nothing is left at the end: no child, no descriptor, no memory.
"""
import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

PATIENCE = 60
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in found.splitlines() if "Z" not in line.split()[1]]


def memory_of(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def descriptors_of(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def start(words, pattern):
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = ""
    for line in process.stderr:
        said += line
        if found := re.search(pattern, line):
            return process, int(found.group(1))
    sys.exit(f"{words} did not start: {said}")


class Broken(Exception):
    """The gateway did what it must not do."""


class Gateway:
    def __init__(self, fairlead, seed):
        self.fairlead = fairlead
        self.random = random.Random(seed)
        self.folder = tempfile.TemporaryDirectory()
        self.behind, self.behind_port = start([fairlead, "demo", "--http", "127.0.0.1:0"], r":(\d+)/mcp")
        self.file = os.path.join(self.folder.name, "chain.json")
        self.write()
        self.process, self.port = start([fairlead, "serve", "-c", self.file, "--watch"], r"serving .*:(\d+)/mcp")
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        self.copy = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self.log)

    def write(self, more=False):
        demo = {"command": self.fairlead, "args": ["demo"]}
        servers = {"shared": demo | {"revision": "2025-11-25"}, "modern": dict(demo), "own": demo | {"share": "caller", "idle_stop": "1s"},
                   "remote": {"url": f"http://127.0.0.1:{self.behind_port}/mcp"}}
        if more:
            servers["more"] = dict(demo)
        with open(self.file + ".new", "w") as file:
            json.dump({"listen": {"port": 0}, "servers": servers}, file)
        os.replace(self.file + ".new", self.file)

    async def break_something(self):
        what = self.random.choice(["child", "child", "child", "remote", "reload", "hang up"])
        if what == "child":
            children = children_of(self.process.pid)
            try:
                os.kill(self.random.choice(children), self.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]))
            except (IndexError, ProcessLookupError):
                return "nothing"
        elif what == "remote":
            self.behind.kill()
            self.behind.wait()
            words = [self.fairlead, "demo", "--http", f"127.0.0.1:{self.behind_port}"]
            self.behind, _ = await asyncio.to_thread(start, words, r":(\d+)/mcp")
        elif what == "reload":
            self.write(more=self.random.random() < 0.5)
        else:
            self.process.send_signal(signal.SIGHUP)
        return what


class Client:
    """Speaks to one path, in one era, for one conversation."""

    def __init__(self, port, path, modern, rng):
        self.port, self.path, self.modern, self.random = port, path, modern, rng
        self.session = None
        self.reader = self.writer = None

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    def request(self, message):
        body = json.dumps(message).encode()
        head = [f"POST {self.path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Content-Type: application/json",
                "Accept: application/json, text/event-stream", f"Content-Length: {len(body)}"]
        if self.modern:
            head += ["MCP-Protocol-Version: 2026-07-28", f"Mcp-Method: {message['method']}"]
            if "name" in message.get("params", {}):
                head.append(f"Mcp-Name: {message['params']['name']}")
        elif self.session:
            head += [f"Mcp-Session-Id: {self.session}", "MCP-Protocol-Version: 2025-11-25"]
        return ("\r\n".join(head) + "\r\n\r\n").encode() + body

    async def answer(self):
        raw = await self.reader.readuntil(b"\r\n\r\n")
        status = int(raw.split(b" ", 2)[1])
        fields = {line.split(b":")[0].lower(): line.split(b":", 1)[1].strip() for line in raw.split(b"\r\n")[1:] if b":" in line}
        if b"mcp-session-id" in fields:
            self.session = fields[b"mcp-session-id"].decode()
        if fields.get(b"transfer-encoding") == b"chunked":
            body = b""
            while size := int((await self.reader.readuntil(b"\r\n")).strip(), 16):
                body += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readexactly(2)
        else:
            body = await self.reader.readexactly(int(fields.get(b"content-length", b"0")))
        if b"event-stream" in fields.get(b"content-type", b""):
            events = [line[5:] for line in body.split(b"\n") if line.startswith(b"data:") and line[5:].strip()]
            body = events[-1] if events else b""
        return status, json.loads(body) if body else None

    async def ask(self, message):
        self.writer.write(self.request(message))
        await self.writer.drain()
        return await asyncio.wait_for(self.answer(), PATIENCE)

    async def vanish(self, message):
        data = self.request(message)
        self.writer.write(data[: self.random.randrange(len(data) + 1)])
        await self.writer.drain()
        if self.random.random() < 0.5:
            await asyncio.sleep(self.random.random() * 0.02)
        self.writer.transport.abort()

    async def close(self):
        """Whoever vanished says so later, on another connection: else the session would be kept for it."""
        if self.writer:
            self.writer.transport.abort()
        if not self.session:
            return
        try:
            await self.open()
            self.writer.write(f"DELETE {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                              f"Mcp-Session-Id: {self.session}\r\n\r\n".encode())
            await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
            self.writer.transport.abort()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # The gateway was killed meanwhile; whether it should have been is for others to say.


def call(id, tool, arguments, modern):
    params = {"name": tool, "arguments": arguments}
    if modern:
        params["_meta"] = META
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


async def converse(gateway, rng, counts):
    path = rng.choice(["/s/shared/mcp", "/s/modern/mcp", "/s/own/mcp", "/s/remote/mcp"])
    modern = rng.random() < 0.5
    client = Client(gateway.port, path, modern, rng)
    try:
        await client.open()
        if not modern:
            status, answer = await client.ask({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "faults", "version": "1"}}})
            if status != 200 or "result" not in answer:
                counts["not initialized"] += 1
                return
        for id in range(rng.randrange(1, 8)):
            nonce = f"{rng.getrandbits(64):x}"
            if rng.random() < 0.15:
                counts["vanished"] += 1
                return await client.vanish(call(id, "echo", {"text": nonce}, modern))
            status, answer = await client.ask(call(id, "echo", {"text": nonce}, modern))
            if answer is None or "result" not in answer:
                counts[f"refused with {status}"] += 1
            elif answer["id"] != id or (answer["result"]["content"][0]["text"] != nonce and not answer["result"].get("isError")):
                raise Broken(f"{path}: asked {id} {nonce}, got {answer}")
            else:
                counts["answered"] += 1
    except asyncio.TimeoutError:
        raise Broken(f"{path}: a request was not answered within {PATIENCE} s") from None
    except (ConnectionError, asyncio.IncompleteReadError):
        counts["cut"] += 1
    finally:
        await client.close()


async def keep_conversing(gateway, until, rng, counts):
    while time.monotonic() < until:
        await converse(gateway, rng, counts)


async def keep_breaking(gateway, until, counts):
    while time.monotonic() < until:
        await asyncio.sleep(gateway.random.random() * 0.5)
        counts["broken: " + await gateway.break_something()] += 1
        if gateway.process.poll() is not None:
            raise Broken(f"the gateway ended with {gateway.process.returncode}")


async def one_pass(gateway, options, seconds, counts):
    until = time.monotonic() + seconds
    clients = [keep_conversing(gateway, until, random.Random(options.seed + i), counts) for i in range(options.clients)]
    await asyncio.gather(keep_breaking(gateway, until, counts), *clients)
    gateway.write()
    await asyncio.sleep(1)


async def settled(gateway, most_children, most_descriptors):
    """Whatever is too much is given time to go."""
    for _ in range(150):
        children, descriptors = len(children_of(gateway.process.pid)), descriptors_of(gateway.process.pid)
        if children <= most_children and descriptors <= most_descriptors:
            return
        await asyncio.sleep(0.2)
    raise Broken(f"{children} children of at most {most_children}, {descriptors} descriptors of at most {most_descriptors}")


async def still_serves(gateway, rng):
    for path in ("/s/shared/mcp", "/s/modern/mcp", "/s/remote/mcp"):
        for attempt in range(40):
            client = Client(gateway.port, path, True, rng)
            await client.open()
            status, answer = await client.ask(call(1, "echo", {"text": "alive"}, True))
            await client.close()
            if answer and answer.get("result", {}).get("content", [{}])[0].get("text") == "alive":
                break
            await asyncio.sleep(1)
        else:
            raise Broken(f"{path} does not come back: {status} {answer}")


async def run(options):
    gateway = Gateway(options.fairlead, options.seed)
    counts = Counter()
    try:
        await one_pass(gateway, options, options.seconds / 2, counts)
        await still_serves(gateway, random.Random(0))
        memory = memory_of(gateway.process.pid)
        await one_pass(gateway, options, options.seconds / 2, counts)
        await still_serves(gateway, random.Random(0))
        # One for each shared server, one for callers without a session, and pipes for each.
        await settled(gateway, 4, 60)
        grown = memory_of(gateway.process.pid) / memory
        print(f"{dict(counts)}; memory grew to {grown:.2f} times")
        if grown > 1.2 and not options.any_memory:
            raise Broken(f"memory grew to {grown:.2f} times")
        children = children_of(gateway.process.pid)
        gateway.process.terminate()
        if (code := gateway.process.wait(30)) != 0:
            raise Broken(f"it ended with {code}")
        left = [pid for pid in children if os.path.exists(f"/proc/{pid}")]
        if left:
            raise Broken(f"children are left: {left}")
        if counts["answered"] < 100:
            raise Broken(f"hardly anything was answered: {dict(counts)}")
    except Broken as wrong:
        gateway.log.flush()
        sys.exit(f"{wrong}\n{dict(counts)}\n" + "".join(open(gateway.log.name).readlines()[-40:]))
    finally:
        gateway.process.kill()
        gateway.behind.kill()
        gateway.copy.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fairlead")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--any-memory", action="store_true")
    asyncio.run(run(parser.parse_args()))


main()
