"""The tables of docs/performance.md, from results."""
from contenders import LIMIT, MCP_PROXY, NGINX, OURS, SUPERGATEWAY, V1, V2
from results import divided

PEERS = (V1, V2)


def number(value, digits=None):
    if value is None:
        return "–"
    if digits is not None:
        return f"{value:.{digits}f}"
    if value >= 10_000:
        return f"{value / 1000:,.0f} k"
    return f"{value / 1000:.1f} k" if value >= 1000 else f"{value:.0f}"


def micro(value):
    if value is None:
        return "–"
    return f"{value:.0f} µs" if value < 1000 else f"{value / 1000:.1f} ms"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def with_spread(results, case, name, what="calls_per_second"):
    spread = results.spread(case, name, what)
    shown = number(results.median(case, name, what))
    return shown if not spread else f"{shown} ±{spread * 50:.0f} %"


def over_connections(results, prefix):
    """Calls per second and median latency of all contenders, and our ratios."""
    cases = results.cases(prefix)
    names = results.names(*(case for case, _ in cases))
    head = ["calls per second · p50"] + [by_count(count) for _, count in cases] + ["CPU s per 100,000 (16)"]
    rows = []
    for name in names:
        row = [bold(name)]
        row += [f"{with_spread(results, case, name)} · {micro(results.median(case, name, 'p50_us'))}" for case, _ in cases]
        rows.append(row + [number(results.median(f"{prefix}/16", name, "cpu_seconds_per_100k"), 2)])
    rows.append(["ours / limit"] + [ratio(results.ratio(case, OURS)) for case, _ in cases] +
                [ratio(results.ratio(f"{prefix}/16", OURS, what="cpu_seconds_per_100k"))])
    peers = [name for name in names if name in PEERS]
    rows.append(["ours / best peer"] + [ratio(divided(results.median(case, OURS), results.best(case, peers)), 0)
                                        for case, _ in cases] + [""])
    rows.append(["p99, ours / limit"] + [ratio(results.ratio(case, OURS, what="p99_us")) for case, _ in cases] + [""])
    return table(head, rows)


def by_count(count):
    return "1 connection" if count == "1" else f"{count} connections"


def bold(name):
    return f"**{name}**" if name.startswith(OURS) else name


def ratio(value, digits=2):
    return "–" if value is None else f"**{value:.{digits}f}**"


def wire(results):
    cases = results.cases("wire")
    names = results.names(*(case for case, _ in cases))
    rows = [[bold(name)] + [with_spread(results, case, name) for case, _ in cases] for name in names]
    rows.append(["ours / limit"] + [ratio(results.ratio(case, OURS)) for case, _ in cases])
    rows.append(["ours / nginx"] + [ratio(results.ratio(case, OURS, NGINX)) for case, _ in cases])
    return table(["requests per second"] + [by_count(count) for _, count in cases], rows)


def sizes(results):
    cases = results.cases("size") + results.cases("events")
    names = results.names(*(case for case, _ in cases))
    label = {"1024": "1 KB", "65536": "64 KB, MB/s", "1048576": "1 MB, MB/s", "10": "10 progress notifications, events/s"}
    unit = {"1024": "calls_per_second", "10": "events_per_second"}
    what = {case: unit.get(size, "megabytes_per_second") for case, size in cases}
    rows = [[bold(name)] + [with_spread(results, case, name, what[case]) for case, _ in cases] for name in names]
    rows.append(["ours / limit"] + [ratio(results.ratio(case, OURS, what=what[case])) for case, _ in cases])
    peers = [name for name in names if name in PEERS]
    rows.append(["ours / best peer"] + [ratio(divided(results.median(case, OURS, what[case]),
                                                      results.best(case, peers, what[case])), 0) for case, _ in cases])
    return table(["results"] + [label.get(size, size) for _, size in cases], rows)


def pairs(results, prefix, ours, other, title):
    """Compares two transports of one server."""
    cases = results.cases(prefix)
    rows = [[name] + [with_spread(results, case, name) for case, _ in cases] for name in (other, ours)]
    rows.append([f"{ours} / {other}"] + [ratio(results.ratio(case, ours, other)) for case, _ in cases])
    return table([title] + [by_count(count) for _, count in cases], rows)


def workers(results):
    """The driver shares the cores, so calls per second cannot double."""
    rows = [[name, with_spread(results, "workers/64", name),
             number(results.median("workers/64", name, "cpu_seconds_per_100k"), 2)]
            for name in results.names("workers/64")]
    return table(["64 connections, server and driver on all cores", "calls per second", "CPU s per 100,000"], rows)


def stdio(results):
    cases = results.cases("stdio")
    names = results.names(*(case for case, _ in cases), "starts")
    head = ["calls per second · p50"] + [label for _, label in cases] + ["start until `initialize` is answered", "RSS idle"]
    rows = []
    for name in names:
        row = [bold(name)]
        row += [f"{with_spread(results, case, name)} · {micro(results.median(case, name, 'p50_us'))}" for case, _ in cases]
        rows.append(row + [f"{number(results.median('starts', name, 'median_ms'), 1)} ms",
                           f"{number(results.median('starts', name, 'rss_mb'), 1)} MB"])
    rows.append(["ours / limit"] + [ratio(results.ratio(case, OURS)) for case, _ in cases] + ["", ""])
    best = [divided(results.median(case, OURS), results.best(case, PEERS)) for case, _ in cases]
    rows.append(["ours / best peer"] + [ratio(value, 1) for value in best] + ["", ""])
    return table(head, rows)


def bridges(results):
    cases = results.cases("bridge")
    names = results.names(*(case for case, _ in cases))
    head = ["calls per second · p50"] + [by_count(count) for _, count in cases] + ["CPU s per 100,000 (16)", "RSS"]
    rows = []
    for name in names:
        row = [bold(name)]
        row += [f"{with_spread(results, case, name)} · {micro(results.median(case, name, 'p50_us'))}" for case, _ in cases]
        rows.append(row + [number(results.median("bridge/16", name, "cpu_seconds_per_100k"), 2),
                           f"{number(results.median('bridge/16', name, 'rss_loaded_mb'), 0)} MB"])
    through = [name for name in names if name not in ("no bridge", SUPERGATEWAY, MCP_PROXY)]
    for name in through:
        added = results.difference("bridge/1", name, "no bridge", "p50_us")
        rows.append([f"{name}, added p50", micro(added)] + [""] * (len(cases) + 1))
    for name in names[1:3]:
        rows.append([f"{name} / no bridge"] + [ratio(results.ratio(case, name, "no bridge")) for case, _ in cases] + ["", ""])
        best = [divided(results.median(case, name), results.best(case, (MCP_PROXY, SUPERGATEWAY))) for case, _ in cases]
        rows.append([f"{name} / best peer"] + [ratio(value, 1) for value in best] + ["", ""])
    return table(head, rows)


def clients(results):
    cases = results.cases("client")
    rows = [[bold(name)] + [f"{with_spread(results, case, name)} · {micro(results.median(case, name, 'p50_us'))}"
                            for case, _ in cases] for name in results.names(*(case for case, _ in cases))]
    rows.append(["ours / limit"] + [ratio(results.ratio(case, OURS)) for case, _ in cases])
    rows.append(["ours / official"] + [ratio(results.ratio(case, OURS, V1), 1) for case, _ in cases])
    return table(["calls per second · p50"] + [f"{count} in flight" for _, count in cases], rows)


def memory(results):
    idle = results.cases("idle")
    names = results.names("memory", *(case for case, _ in idle))
    head = ["", "RSS idle", "256 connections under load", "half a second later"]
    head += [f"each of {int(count):,} idle sessions with a stream" for _, count in idle]
    rows = []
    for name in names:
        row = [bold(name), number(results.median("memory", name, "idle"), 1) + " MB",
               number(results.median("sessions/256", name, "rss_loaded_mb"), 1) + " MB",
               number(results.median("memory", name, "after"), 1) + " MB"]
        rows.append(row + [number(results.median(case, name, "kb_per_stream"), 1) + " KB" for case, _ in idle])
    return table(head, rows)


def growth(results):
    rows = []
    for case, count in results.cases("growth-sessions"):
        rows.append([f"{int(count):,} sessions, of which 16 call", with_spread(results, case, OURS) + " calls per second",
                     number(results.median(case, OURS, "rss_open_mb"), 0) + " MB resident"])
    for case, count in results.cases("growth-tools"):
        rows.append([f"{int(count):,} tools", with_spread(results, case, OURS) + " calls per second",
                     number(results.median(case, OURS, "list_ms"), 0) + " ms to start a client and list them"])
    for case, size in results.cases("growth-bodies"):
        rows.append([f"a result of {in_bytes(int(size))}", micro(results.median(case, OURS, "p50_us")),
                     number(results.median(case, OURS, "megabytes_per_second"), 0) + " MB/s"])
    return table(["with", "", ""], rows)


def middleware(results):
    names = [name for name in results.names("middleware") if name.startswith("alone/")]
    nothing = results.median("middleware", "alone/nothing", "microseconds")
    rows = [[name.removeprefix("alone/"), f"{(results.median('middleware', name, 'microseconds') - nothing) * 1000:.0f} ns"]
            for name in names if name != "alone/nothing"]
    ten = results.median("middleware", "standard_chain", "microseconds")
    if ten is not None and nothing is not None:
        rows.append(["the first ten in one chain", f"{(ten - nothing) * 1000:.0f} ns"])
    return table(["middleware without work", "adds to a call"], rows)


def in_bytes(size):
    for unit, shift in (("MB", 20), ("KB", 10)):
        if size >= 1 << shift:
            return f"{size >> shift} {unit}"
    return f"{size} B"
