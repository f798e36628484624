"""The goals: a value of this run and its limit."""
from contenders import LIMIT, MCP_PROXY, OURS
from results import divided
from tables import PEERS, table

STDIO_BRIDGE, HTTP_BRIDGE, DIRECT = "Fairlead, stdio to HTTP", "Fairlead, HTTP to HTTP", "no bridge"


def lowest(values):
    values = list(values)
    return None if not values or None in values else min(values)


def rows_of(results):
    """Yields label, value, comparison, goal and unit."""
    r = results
    many = (16, 64, 256)
    for kind in ("sessions", "stateless"):
        yield f"HTTP echo, {kind}, 16 to 256 connections, of the limit", lowest(r.ratio(f"{kind}/{n}", OURS) for n in many), ">=", 0.6, "×"
        yield ("the same, of the TypeScript SDK", lowest(divided(r.median(f"{kind}/{n}", OURS), r.best(f"{kind}/{n}", PEERS))
                                                          for n in many), ">=", 45, "×")
        yield f"{kind}, 1 connection, p50 of the limit's", r.ratio(f"{kind}/1", OURS, what="p50_us"), "<=", 1.3, "×"
        yield f"{kind}, 256 connections, p99 of the limit's", r.ratio(f"{kind}/256", OURS, what="p99_us"), "<=", 2, "×"
        yield f"{kind}, CPU per call, of the limit's", r.ratio(f"{kind}/16", OURS, what="cpu_seconds_per_100k"), "<=", 1.8, "×"
    yield "HTTP with TLS, of HTTP without", lowest(r.ratio(f"tls/{n}", "TLS", "plain") for n in (16, 64)), ">=", 0.6, "×"
    yield "a call with a cached JWT, of one with an API key", lowest(r.ratio(f"tokens/{n}", "JWT", "API key") for n in (16, 64)), ">=", 0.93, "×"
    yield "good callers during a storm of invalid tokens", r.ratio("token-storm/16", "storm", "alone"), ">=", 0.9, "×"
    for size, name in ((65536, "64 KB"), (1048576, "1 MB")):
        yield f"results of {name}, MB/s of the limit", r.ratio(f"size/{size}", OURS, what="megabytes_per_second"), ">=", 0.7, "×"
    yield "10 progress notifications, events/s of the limit", r.ratio("events/10", OURS, what="events_per_second"), ">=", 0.5, "×"
    yield "WebSocket echo, of HTTP echo", lowest(r.ratio(f"websocket/{n}", "WebSocket", "HTTP") for n in (1, 16, 64)), ">=", 1, "×"
    for case, goal in (("one core", 0.55), ("64 in flight", 0.45)):
        yield f"stdio, {case}, of the limit", r.ratio(f"stdio/{case}", OURS), ">=", goal, "×"
    yield ("stdio, one core, of the TypeScript SDK",
           divided(r.median("stdio/one core", OURS), r.best("stdio/one core", PEERS)), ">=", 5, "×")
    yield ("start until `initialize` is answered, more than the limit", r.difference("starts", OURS, LIMIT, "median_ms"), "<=", 8, " ms")
    yield "RSS of a small stdio server, idle", r.median("starts", "examples/hello", "rss_mb"), "<=", 8, " MB"
    yield "RSS of the gateway, idle", r.median("bridge-memory", STDIO_BRIDGE, "idle"), "<=", 15, " MB"
    largest = r.cases("idle")[-1][0] if r.cases("idle") else "idle/1000"
    yield "an idle session with a stream", r.median(largest, OURS, "kb_per_stream"), "<=", 8, " KB"
    yield "the same with TLS", r.median("idle-tls", OURS, "kb_per_stream"), "<=", 24, " KB"
    for bridge in (STDIO_BRIDGE, HTTP_BRIDGE):
        yield f"{bridge}, added p50 at 1 connection", r.difference("bridge/1", bridge, DIRECT, "p50_us"), "<=", 20, " µs"
        yield f"{bridge}, of our own server", lowest(r.ratio(f"bridge/{n}", bridge, DIRECT) for n in (16, 64)), ">=", 0.4, "×"
        yield f"{bridge}, of mcp-proxy", lowest(r.ratio(f"bridge/{n}", bridge, MCP_PROXY) for n in (1, 16, 64)), ">=", 20, "×"
    yield ("10 idle middleware steps, per call", r.difference("middleware", "standard_chain", "chain_of<NoOverrides>/0", "microseconds"), "<=", 5, " µs")
    yield ("100 clients beside hostile ones, p99 of the same alone",
           r.paired_ratio("neighbours", "beside hostile ones", "alone", "p99_us"), "<=", 3, "×")
    # With two cores the driver uses the second core, so this compares the CPU time per call.
    cost = r.ratio("workers/64", "1 worker", "2 workers", "cpu_seconds_per_100k")
    yield "two workers, calls per CPU second, of one worker", cost and 2 * cost, ">=", 1.8, "×"


def reached(value, sign, goal):
    return value >= goal if sign == ">=" else value <= goal


def goals_table(results):
    rows = []
    for what, value, sign, goal, unit in rows_of(results):
        shown = "–" if value is None else f"{value:.2f}{unit}"
        verdict = "not measured" if value is None else "reached" if reached(value, sign, goal) else "**missed**"
        rows.append([what, f"{'≥' if sign == '>=' else '≤'} {goal:g}{unit}", shown, verdict])
    return table(["", "goal", "this run", ""], rows)
