"""Writes tables and plots of a run between the markers of a document; keeps the rest."""
import os
import re

import goals
import plots
import tables
from contenders import OURS
from results import Results

BEGIN, END = "<!-- written by ./dev bench -->", "<!-- end of what ./dev bench writes -->"
PLOT_FOLDER = "performance"


def write(document, rows, machine):
    results = Results(rows)
    folder = os.path.join(os.path.dirname(document), PLOT_FOLDER)
    drawn = draw(results, folder)
    text = BEGIN + "\n" + body(results, machine, drawn) + END
    whole = read(document) or f"# Performance\n\n{BEGIN}\n{END}\n"
    if BEGIN not in whole:
        whole += f"\n{BEGIN}\n{END}\n"
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    with open(document, "w") as file:
        file.write(pattern.sub(lambda _: text, whole, count=1))


def read(path):
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return file.read()


def draw(results, folder):
    """Writes the plots and returns their names."""
    os.makedirs(folder, exist_ok=True)
    drawn = []
    for name, svg in all_plots(results):
        if svg:
            with open(os.path.join(folder, name + ".svg"), "w") as file:
                file.write(svg)
            drawn.append(name)
    return drawn


def all_plots(results):
    yield "sessions", by_connections(results, "sessions", "Streamable HTTP, sessions: echo calls per second")
    yield "stateless", by_connections(results, "stateless", "Streamable HTTP, stateless: echo calls per second")
    yield "bridges", by_connections(results, "bridge", "Bridges: echo calls per second")
    yield "stdio", by_connections(results, "stdio", "stdio: echo calls per second", str)
    yield "growth-sessions", plots.lines("Calls per second of 16 active sessions, by open sessions", "sessions", {
        "calls per second": growth(results, "growth-sessions", "calls_per_second")}, "calls/s")
    yield "growth-tools", plots.lines("Servers with many tools", "tools", {
        "echo calls per second": growth(results, "growth-tools", "calls_per_second"),
        "ms to list them all": growth(results, "growth-tools", "list_ms")}, "calls/s, ms")
    yield "growth-bodies", plots.lines("Large results, one connection", "bytes", {
        "median latency, µs": growth(results, "growth-bodies", "p50_us")}, "µs")


def by_connections(results, prefix, title, label_of=tables.by_count):
    cases = results.cases(prefix)
    names = results.names(*(case for case, _ in cases))
    series = {name: [results.median(case, name) for case, _ in cases] for name in names}
    return plots.bars(title, [label_of(label) for _, label in cases], series, "calls/s") if cases else None


def growth(results, prefix, what):
    return [(int(x), results.median(case, OURS, what)) for case, x in results.cases(prefix)]


def body(results, machine, drawn):
    def plot(name, alt):
        return f"\n![{alt}]({PLOT_FOLDER}/{name}.svg)\n" if name in drawn else ""

    parts = [f"\n{machine}\n", f"## Goals\n\n{goals.goals_table(results)}"]

    def section(title, prefixes, text):
        if any(results.cases(prefix) for prefix in prefixes):
            parts.append(f"## {title}\n\n{text()}")

    section("Streamable HTTP, sessions", ["sessions"], lambda: tables.over_connections(results, "sessions") +
            plot("sessions", "Calls per second in sessions, by connections"))
    section("Streamable HTTP, stateless", ["stateless"], lambda: tables.over_connections(results, "stateless") +
            plot("stateless", "Calls per second without sessions, by connections"))
    section("The stateless echo with another driver", ["wire"], lambda: "wrk repeats one stateless echo request. nginx returns a constant response without reading the "
            "request.\n\n" + tables.wire(results))
    section("Large and streamed results", ["size", "events"],
            lambda: "Texts over 8 connections, notifications over 16.\n\n" + tables.sizes(results))
    section("WebSocket", ["websocket"], lambda: tables.pairs(results, "websocket", "WebSocket", "HTTP", "calls per second"))
    section("TLS", ["tls"], lambda: tables.pairs(results, "tls", "TLS", "plain", "calls per second"))
    section("Two workers", ["workers"], lambda: tables.workers(results))
    section("stdio", ["stdio"], lambda: tables.stdio(results) + plot("stdio", "Calls per second over stdio"))
    section("Bridges", ["bridge"], lambda: "Behind each bridge is the limit server, on the core of the bridge. Without a bridge, it is "
            "`fairlead demo`.\n\n" + tables.bridges(results) + plot("bridges", "Calls per second through bridges"))
    section("Clients", ["client"], lambda: "Each client calls the limit server, whose cost is negligible. The limit is the load driver. The "
            "official client uses `fetch`.\n\n" + tables.clients(results))
    section("Memory", ["sessions", "idle"], lambda: tables.memory(results))
    section("Growth", ["growth-sessions", "growth-tools", "growth-bodies"], lambda: tables.growth(results) +
            plot("growth-sessions", "Calls per second, by sessions") +
            plot("growth-tools", "Calls per second and listing, by tools") +
            plot("growth-bodies", "Latency by size of the result"))
    if results.names("middleware"):
        parts.append(f"## Middleware\n\n{tables.middleware(results)}")
    return "\n".join([*parts, troubles(results)])


def troubles(results):
    found = sorted({f"- {case}, {name}: {why.splitlines()[0][:160] if why else 'failed'}" for case, name, why in results.failures()})
    if not found:
        return "Every call of this run got a response with the right id and text.\n"
    return "## Calls that failed\n\n" + "\n".join(found) + "\n"
