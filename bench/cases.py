"""The benchmark cases, one function each. A case adds rows to the record, under names like `sessions/16`."""
import base64
import contextlib
import hashlib
import http.server
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import contenders as who
from contenders import LIMIT, OURS, Running, pinned

SERVER_CORE, DRIVER_CORE = 0, 1
RUN_TIMEOUT = 120  # Seconds.


class Record:
    """Rows by case and contender, one per round."""

    def __init__(self):
        self.rows = {}

    def add(self, case, name, row):
        self.rows.setdefault(case, {}).setdefault(name, []).append(row)


class Bench:
    def __init__(self, paths, quick, say):
        self.paths, self.quick, self.say = paths, quick, say
        self.rounds = 1 if quick else 5
        self.seconds, self.warm = ("0.3", "0.1") if quick else ("1.0", "0.3")
        self.record = Record()
        self.next_port = 21000

    def ports(self):
        self.next_port += 10
        return self.next_port

    def drive(self, *words, core=DRIVER_CORE, plain=False):
        """Runs the driver once and returns its row, or its error."""
        timing = [] if plain else ["--unchecked", "--seconds", self.seconds, "--warm", self.warm]
        command = pinned(core, [self.paths.fairlead, "bench", "--json", *timing, *words])
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_TIMEOUT)
            document = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, json.JSONDecodeError):
            return {"error": "no answer in time" if "done" not in locals() else done.stderr.strip()[:300]}
        return document["runs"][0] if "runs" in document else document

    def interleave(self, variants, contenders, run):
        """Loops over rounds, variants and contenders; `run(variant, contender)` returns a row."""
        for number in range(self.rounds):
            for case, variant in variants.items():
                shown = []
                for name in contenders:
                    row = run(variant, name)
                    self.record.add(case, name, row)
                    shown.append(f"{name} {brief(row)}")
                self.say(f"{case} [{number + 1}/{self.rounds}]  " + "   ".join(shown))

    @contextlib.contextmanager
    def all_running(self, commands, core=SERVER_CORE):
        """Starts all contenders; reports and skips those that cannot start."""
        with contextlib.ExitStack() as stack:
            running = {}
            for name, (command, port) in commands.items():
                try:
                    log = os.path.join(self.paths.scratch, name.replace(" ", "-").replace(",", "") + ".log")
                    running[name] = stack.enter_context(Running(command, port, core, log))
                except RuntimeError as trouble:
                    self.say(f"left out: {name}: {trouble}")
            yield running

    def over_http(self, commands, variants, path="/mcp", scheme="http"):
        """Measures HTTP servers; `variants` maps case names to driver options."""
        with self.all_running(commands) as running:
            idle = {name: server.resident() for name, server in running.items()}
            url = {name: f"{scheme}://127.0.0.1:{server.port}{path}" for name, server in running.items()}
            # Warm-up for servers with a JIT compiler.
            for name in running:
                self.drive(*list(variants.values())[len(variants) // 2], url[name])
            self.interleave(variants, running, lambda words, name: self.drive(*words, url[name]))
            time.sleep(0.5)
            return {name: {"idle": idle[name], "after": server.resident()} for name, server in running.items()}


def brief(row):
    if "error" in row:
        return "failed"
    if "calls_per_second" in row:
        return f"{row['calls_per_second']:,.0f}/s"
    return " ".join(f"{name} {value:.1f}" for name, value in row.items() if isinstance(value, float))


def connections(prefix, counts, *words):
    return {f"{prefix}/{count}": ["--connections", str(count), *words] for count in counts}


def sessions(bench):
    """Echo in sessions, and the memory of each server before and after."""
    weights = bench.over_http(who.servers(bench.paths, bench.ports()), connections("sessions", (1, 16, 64, 256)))
    for name, weight in weights.items():
        bench.record.add("memory", name, weight)


def stateless(bench):
    bench.over_http(who.stateless_servers(bench.paths, bench.ports()),
                    connections("stateless", (1, 16, 64, 256), "--stateless"))


def sizes(bench):
    variants = {f"size/{size}": ["--connections", "8", "--tool", "blob", f"size:={size}"] for size in (1024, 65536, 1048576)}
    bench.over_http(who.servers(bench.paths, bench.ports()), variants)


def events(bench):
    words = ["--connections", "16", "--tool", "progress", "steps:=10", "--progress", "10"]
    bench.over_http(who.servers(bench.paths, bench.ports(), events=True), {"events/10": words})


def websocket(bench):
    port = bench.ports()
    ours = {OURS: who.servers(bench.paths, port)[OURS]}
    with bench.all_running(ours) as running:
        if OURS not in running:
            return
        urls = {"HTTP": f"http://127.0.0.1:{port + 1}/mcp", "WebSocket": f"ws://127.0.0.1:{port + 1}/ws"}
        bench.interleave(connections("websocket", (1, 16, 64)), urls, lambda words, name: bench.drive(*words, urls[name]))


def tls(bench):
    port, folder = bench.ports(), bench.paths.scratch
    key, certificate = (os.path.join(folder, name) for name in ("tls.key", "tls.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
                    certificate], check=True, capture_output=True)
    plain = [bench.paths.fairlead, "demo", "--http", f"127.0.0.1:{port}"]
    secure = [bench.paths.fairlead, "demo", "--http", f"127.0.0.1:{port + 1}", "--tls-cert", certificate, "--tls-key", key]
    with bench.all_running({"plain": (plain, port), "TLS": (secure, port + 1)}) as running:
        urls = {"plain": [f"http://127.0.0.1:{port}/mcp"],
                "TLS": [f"https://127.0.0.1:{port + 1}/mcp", "--cacert", certificate]}
        bench.interleave(connections("tls", (16, 64)), running, lambda words, name: bench.drive(*words, *urls[name]))
        count = 200 if bench.quick else 1000
        row = bench.drive("--idle", str(count), *urls["TLS"], plain=True)
        bench.record.add("idle-tls", OURS, row)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    """An authorization server with one RSA key, whose tokens are signed by openssl."""

    def __init__(self, folder):
        self.key = os.path.join(folder, "issuer.key")
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True,
                                 text=True).stdout.strip().split("=")[1]
        jwk = {"kty": "RSA", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB", "kid": "bench", "alg": "RS256"}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler({"keys": [jwk]}))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handler(self, keys):
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                metadata = {"issuer": issuer.url, "token_endpoint": issuer.url + "/token", "jwks_uri": issuer.url + "/jwks"}
                body = json.dumps(keys if self.path == "/jwks" else metadata).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def token(self, resource, jti="good", signed=True):
        claims = {"iss": self.url, "sub": "ann", "client_id": "bench", "aud": resource, "exp": int(time.time()) + 3600, "jti": jti}
        parts = [{"alg": "RS256", "typ": "at+jwt", "kid": "bench"}, claims]
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        if not signed:
            return text + "." + base64url(os.urandom(256))
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.key], input=text.encode(), check=True,
                                   capture_output=True).stdout
        return text + "." + base64url(signature)


def bad_requests(issuer, port):
    """Requests with invalid tokens, in batches of 20. No token is repeated within 10 seconds of a storm."""
    resource = f"http://127.0.0.1:{port}/mcp"
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
    batch = lambda: "".join(f"{head}Authorization: Bearer {issuer.token(resource, signed=False)}\r\n\r\n{{}}" for _ in range(20))
    return itertools.cycle([batch().encode() for _ in range(1_000)])


@contextlib.contextmanager
def storm(batches, port):
    """Sends 2,000 requests a second. They were made before, so that the sender needs little of the callers' CPU."""
    stop = threading.Event()

    def send():
        with socket.create_connection(("127.0.0.1", port)) as client:
            while not stop.wait(0.01):
                client.sendall(next(batches))
                refused = 0
                while refused < 20:
                    refused += client.recv(1 << 20).count(b"HTTP/1.1 4")
    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield
    finally:
        stop.set()
        sender.join()


def tokens(bench):
    """A cached JWT beside an API key, and the same during a storm of invalid tokens."""
    port, folder = bench.ports(), bench.paths.scratch
    issuer, keys = Issuer(folder), os.path.join(folder, "bench.keys")
    with open(keys, "w") as file:
        file.write(f"ann {hashlib.sha256(b'secret-of-ann').hexdigest()}\n")
    serve = [bench.paths.fairlead, "demo", "--http"]
    commands = {"API key": ([*serve, f"127.0.0.1:{port}", "--keys", keys], port),
                "JWT": ([*serve, f"127.0.0.1:{port + 1}", "--oauth-issuer", issuer.url, "--public-url",
                         f"http://127.0.0.1:{port + 1}"], port + 1)}
    secrets = {"API key": "secret-of-ann", "JWT": issuer.token(f"http://127.0.0.1:{port + 1}/mcp")}

    def run(words, name, at):
        return bench.drive(*words, "-H", f"Authorization: Bearer {secrets[name]}", f"http://127.0.0.1:{at}/mcp")

    with bench.all_running(commands) as running:
        bench.interleave(connections("tokens", (16, 64)), running, lambda words, name: run(words, name, running[name].port))
        if "JWT" not in running:
            return
        batches = bad_requests(issuer, port + 1)

        def beside(words, name):
            with storm(batches, port + 1) if name == "storm" else contextlib.nullcontext():
                return run(words, "JWT", port + 1)
        bench.interleave(connections("token-storm", (16,)), ("alone", "storm"), beside)
    issuer.server.shutdown()


def wire(bench):
    """Checks our driver against wrk, and the limit program against nginx."""
    if not bench.paths.wrk:
        return bench.say("wire left out: wrk is not there")
    script = who.wire_script(bench.paths)
    with bench.all_running(who.on_the_wire(bench.paths, bench.ports())) as running:
        def run(count, name):
            command = [bench.paths.wrk, "-t1", f"-c{count}", "-d2" if bench.quick else "-d3", "-s", script,
                       f"http://127.0.0.1:{running[name].port}/mcp"]
            done = subprocess.run(pinned(DRIVER_CORE, command), capture_output=True, text=True, timeout=RUN_TIMEOUT)
            found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
            if not found or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
                return {"error": (done.stdout + done.stderr).strip()[-300:]}
            return {"calls_per_second": float(found.group(1))}

        bench.interleave({"wire/16": "16", "wire/64": "64"}, running, run)


def workers(bench):
    """Server and driver share all cores."""
    port = bench.ports()
    commands = {name: ([bench.paths.fairlead, "demo", "--http", f"127.0.0.1:{port + count}", "--workers", str(count)],
                       port + count) for count, name in ((1, "1 worker"), (2, "2 workers"))}
    with bench.all_running(commands, core=None) as running:
        bench.interleave(connections("workers", (64,)), running,
                         lambda words, name: bench.drive(*words, f"http://127.0.0.1:{running[name].port}/mcp", core=None))


def bridges(bench):
    weights = bench.over_http(who.bridges(bench.paths, bench.ports()), connections("bridge", (1, 16, 64)))
    for name, weight in weights.items():
        bench.record.add("bridge-memory", name, weight)


def stdio(bench):
    commands = who.stdio_servers(bench.paths)
    # On one core there are no wake-ups across cores.
    bench.interleave({"stdio/one core": "1"}, commands,
                     lambda _, name: bench.drive("--", *commands[name], core=SERVER_CORE))
    bench.interleave({"stdio/two cores": "1", "stdio/64 in flight": "64"}, commands,
                     lambda flight, name: bench.drive("--in-flight", flight, "--", *pinned(SERVER_CORE, commands[name])))


def starts(bench):
    commands = who.stdio_servers(bench.paths)
    times = "3" if bench.quick else "9"
    bench.interleave({"starts": times}, commands,
                     lambda count, name: bench.drive("--starts", count, "--", *commands[name], plain=True))
    hello = bench.paths.program("examples/hello")
    if os.access(hello, os.X_OK):
        bench.record.add("starts", "examples/hello", bench.drive("--starts", times, "--", hello, plain=True))


def idle(bench):
    for count in (1000,) if bench.quick else (1000, 10000):
        found = who.servers(bench.paths, bench.ports())
        # Node needs a second per thousand; measure once.
        names = [LIMIT, OURS] if count > 1000 else list(found)
        for name in names:
            with bench.all_running({name: found[name]}) as running:
                if name not in running:
                    continue
                url = f"http://127.0.0.1:{running[name].port}/mcp"
                row = bench.drive("--idle", str(count), url, plain=True)
                bench.record.add(f"idle/{count}", name, row)
                bench.say(f"idle/{count}  {name} {brief(row)}")


def clients(bench):
    """Compares clients on the limit server: ours, the official one, and the driver as the limit."""
    port = bench.ports()
    url = f"http://127.0.0.1:{port}/mcp"
    commands = {OURS: [bench.paths.program("bench/client_calls")]}
    if bench.paths.node:
        commands[who.V1] = bench.paths.peer("client.mjs")

    def run(count, name):
        if name == LIMIT:
            return bench.drive("--connections", count, url)
        done = subprocess.run(pinned(DRIVER_CORE, [*commands[name], url, bench.seconds, count]), capture_output=True,
                              text=True, timeout=RUN_TIMEOUT)
        return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip()[:300]}

    with Running([bench.paths.program("bench/http_limit"), str(port)], port, SERVER_CORE):
        bench.interleave({"client/1": "1", "client/16": "16"}, [LIMIT, *commands], run)


def growing_sessions(bench):
    """Measures 16 sessions while a growing number of idle sessions is open."""
    callers = 16
    for count in (20, 300) if bench.quick else (20, 100, 1000, 3000, 10000):
        command, port = who.servers(bench.paths, bench.ports())[OURS]
        with Running(command, port, SERVER_CORE) as server:
            url, before = f"http://127.0.0.1:{port}/mcp", server.descriptors()
            holding = subprocess.Popen(pinned(DRIVER_CORE, [bench.paths.fairlead, "bench", "--json", "--hold", "600",
                                                            "--idle", str(count - callers), url]),
                                       stdout=subprocess.PIPE, text=True)
            row = {}
            try:
                end = time.monotonic() + RUN_TIMEOUT
                # The readiness check's connection may still be counted in `before`.
                enough = before + count - callers - 1
                while server.descriptors() < enough and holding.poll() is None and time.monotonic() < end:
                    time.sleep(0.05)
                row = bench.drive("--connections", str(callers), url)
            finally:
                holding.send_signal(signal.SIGINT)
                row |= json.loads(holding.communicate(timeout=RUN_TIMEOUT)[0] or "{}")
            bench.record.add(f"growth-sessions/{count}", OURS, row)
            bench.say(f"growth-sessions/{count}  {brief(row)}")


def growing_tools(bench):
    for count in (10, 1000) if bench.quick else (10, 100, 1000, 3000, 10000):
        port = bench.ports()
        command = [bench.paths.program("bench/many_tools"), str(count), "--http", f"127.0.0.1:{port}"]
        with Running(command, port, SERVER_CORE) as server:
            url = f"http://127.0.0.1:{port}/mcp"
            row = bench.drive("--connections", "16", url)
            row["list_ms"] = min(timed([bench.paths.fairlead, "list", "tools", "--json", url]) for _ in range(3))
            row["resident_mb"] = server.resident()
            bench.record.add(f"growth-tools/{count}", OURS, row)
            bench.say(f"growth-tools/{count}  {brief(row)}")


def growing_bodies(bench):
    command, port = who.servers(bench.paths, bench.ports())[OURS]
    with Running(command, port, SERVER_CORE):
        for size in (1 << 10, 1 << 20, 4 << 20) if bench.quick else [1 << shift for shift in range(10, 27, 2)]:
            row = bench.drive("--connections", "1", "--tool", "blob", f"size:={size}", f"http://127.0.0.1:{port}/mcp")
            bench.record.add(f"growth-bodies/{size}", OURS, row)
            bench.say(f"growth-bodies/{size}  {brief(row)}")


def middleware(bench):
    command = [bench.paths.program("bench/chain_bench"), "--benchmark_format=json", "--benchmark_min_time=0.1"]
    done = subprocess.run(pinned(SERVER_CORE, command), capture_output=True, text=True)
    for row in json.loads(done.stdout)["benchmarks"] if done.returncode == 0 else []:
        bench.record.add("middleware", row["name"], {"microseconds": row["cpu_time"] / 1000})


def neighbours(bench):
    """100 clients of a gateway: alone, and beside servers and clients that flood, never read, or hang."""
    script = os.path.join(who.ROOT, "tests", "integration", "hostile_peers.py")
    cores = ["--cores", str(SERVER_CORE), str(DRIVER_CORE)] if (os.cpu_count() or 1) > 1 else []
    words = ["--connections", "100", "--stateless"]
    for number in range(bench.rounds):
        shown = []
        # One after the other, so that both rows of a round see the same machine.
        for name, extra in (("alone", ["--servers", "", "--kinds", ""]), ("beside hostile ones", [])):
            with hostile_gateway([sys.executable, "-B", script, bench.paths.fairlead, "--hold", *cores, *extra]) as url:
                row = bench.drive(*words, url)
            bench.record.add("neighbours", name, row)
            shown.append(f"{name} {brief(row)}, p99 {row.get('p99_us', 0) / 1000:.1f} ms")
        bench.say(f"neighbours [{number + 1}/{bench.rounds}]  " + "   ".join(shown))


@contextlib.contextmanager
def hostile_gateway(command):
    """Prints the address of the measured server when all peers run; ends with its stdin."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(RUN_TIMEOUT)
        process.stdout.close()


def timed(command):
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.monotonic() - began) * 1000


ALL = [sessions, stateless, wire, sizes, events, websocket, tls, tokens, workers, bridges, clients, stdio, starts, idle,
       growing_sessions, growing_tools, growing_bodies, middleware, neighbours]
