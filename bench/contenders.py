"""The programs of the comparison, and how to start them."""
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
START_TIMEOUT = 30  # Seconds.

LIMIT, OURS, V1, V2 = "limit", "Fairlead", "TypeScript SDK v1", "TypeScript SDK v2"
SUPERGATEWAY, MCP_PROXY = "supergateway", "mcp-proxy"
NGINX = "nginx, constant answer"
BRIDGE_LIMIT, RELAY_LIMIT = "limit of a bridge, stdio to HTTP", "limit of a bridge, HTTP to HTTP"


class Paths:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.fairlead = self.program("fairlead")
        self.peers = os.path.join(self.build, "peers")
        self.node = self.find_node()
        unpacked = os.path.join(ROOT, "build", "tools", "nginx")
        self.nginx = shutil.which("nginx") or shutil.which(unpacked)
        self.wrk = shutil.which("wrk")
        self.scratch = os.path.join(self.build, "bench-data")
        os.makedirs(self.scratch, exist_ok=True)

    def program(self, name):
        return os.path.join(self.build, "bin", name)

    def find_node(self):
        folder = os.path.join(self.peers, "node_modules")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            node = os.path.join(folder, name, "bin", "node")
            if name.startswith("node-linux") and os.access(node, os.X_OK):
                return node
        return None

    def peer(self, script, *words):
        return [self.node, os.path.join(self.peers, script), *words]

    def package(self, name, *words):
        return [self.node, os.path.realpath(os.path.join(self.peers, "node_modules", ".bin", name)), *words]


def servers(paths, port, events=False):
    """Commands of HTTP servers with sessions by name, each with its own port."""
    ours = [paths.fairlead, "demo", "--http", f"127.0.0.1:{port + 1}"]
    found = {LIMIT: [paths.program("bench/http_limit"), str(port)], OURS: ours}
    if paths.node:
        mode = ["sse"] if events else []
        found[V1] = paths.peer("v1.mjs", str(port + 2), *mode)
        found[V2] = paths.peer("v2.mjs", str(port + 3), *mode)
    return {name: (command, port + i) for i, (name, command) in enumerate(found.items())}


def stateless_servers(paths, port):
    found = servers(paths, port)
    found.pop(V1, None)
    if V2 in found:
        found[V2] = (paths.peer("v2.mjs", str(port + 9), "stateless"), port + 9)
    return found


def stdio_servers(paths):
    found = {LIMIT: [paths.program("bench/stdio_limit")], OURS: [paths.fairlead, "demo"]}
    if paths.node:
        found |= {V1: paths.peer("v1.mjs"), V2: paths.peer("v2.mjs")}
    return found


def on_the_wire(paths, port):
    """Servers for the stateless echo POST of wrk."""
    found = {name: command for name, command in servers(paths, port).items() if name in (LIMIT, OURS)}
    if paths.nginx:
        found[NGINX] = ([paths.nginx, "-e", "stderr", "-p", paths.scratch, "-c", nginx_file(paths, port + 2)], port + 2)
    return found


def nginx_file(paths, port):
    answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}'
    text = f"""
daemon off; worker_processes 1; pid nginx.pid; error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path nginx-body; proxy_temp_path nginx-proxy; fastcgi_temp_path nginx-fastcgi;
  uwsgi_temp_path nginx-uwsgi; scgi_temp_path nginx-scgi;
  server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 '{answer}'; }} }}
}}
"""
    file = os.path.join(paths.scratch, "nginx.conf")
    with open(file, "w") as conf:
        conf.write(text)
    return file


def wire_script(paths):
    """The Lua script of wrk."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "echo", "arguments": {"text": "hello"}, "_meta": meta}}, separators=(",", ":"))
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"}
    file = os.path.join(paths.scratch, "wire.lua")
    with open(file, "w") as script:
        script.write(f'wrk.method = "POST"\nwrk.body = [[{body}]]\n')
        script.writelines(f'wrk.headers["{name}"] = "{value}"\n' for name, value in headers.items())
    return file


def bridges(paths, port):
    """Bridges in front of the limit server, and our server without a bridge."""
    child = [paths.program("bench/stdio_limit")]
    direct = [paths.fairlead, "demo", "--http", f"127.0.0.1:{port}"]
    remote = paths.program("bench/http_limit")
    found = {
        "no bridge": (direct, port),
        "Fairlead, stdio to HTTP": ([paths.fairlead, "--port", str(port + 1), "--", *child], port + 1),
        "Fairlead, HTTP to HTTP": (
            ["sh", "-c", f"{remote} {port + 6} & exec {paths.fairlead} "
             f"'http://127.0.0.1:{port + 2} | http://127.0.0.1:{port + 6}/mcp'"], port + 2),
        BRIDGE_LIMIT: ([paths.program("bench/bridge_limit"), str(port + 5), *child], port + 5),
        RELAY_LIMIT: (["sh", "-c", f"{remote} {port + 7} & exec {paths.program('bench/relay_limit')} {port + 8} {port + 7}"],
                      port + 8),
    }
    if paths.node:
        found[MCP_PROXY] = (paths.package("mcp-proxy", "--host", "127.0.0.1", "--port", str(port + 3), "--server", "stream",
                                          "--", *child), port + 3)
        found[SUPERGATEWAY] = (paths.package("supergateway", "--stdio", " ".join(child), "--outputTransport",
                                             "streamableHttp", "--stateful", "--logLevel", "none", "--port", str(port + 4)),
                               port + 4)
    return found


def pinned(core, command):
    """Pins a command to a core; no pinning with one core or None."""
    return command if core is None or (os.cpu_count() or 1) < 2 else ["taskset", "-c", str(core), *command]


class Running:
    """Runs a server until the end of the `with` block."""

    def __init__(self, command, port, core=0, log=None):
        self.port = port
        self.log = open(log or os.devnull, "w")
        self.process = subprocess.Popen(pinned(core, command), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        start_new_session=True)
        try:
            self.wait_until_listening(command)
        except Exception:
            self.stop()
            raise

    def wait_until_listening(self, command):
        end = time.monotonic() + START_TIMEOUT
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"ended at once: {' '.join(command)}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"does not listen: {' '.join(command)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        # The process group, because some bridges leave children behind.
        for what in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, what)
                self.process.wait(2)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self.process.wait()
        self.log.close()

    def resident(self):
        """Resident memory of the process in megabytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 2**20

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def allow_many_files():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
