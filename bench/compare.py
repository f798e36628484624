#!/usr/bin/env python3
"""Measures Fairlead, its peers and the limit of the machine, and writes the results to a document.

usage: compare.py [--quick] [--only <regex>] [--build <folder>] [--write <file>] [--redraw]
"""
import argparse
import datetime
import json
import os
import platform
import re
import signal
import sys
import time

import cases
import contenders
import report


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench", description="Runs all benchmark cases and writes docs/performance.md.")
    parser.add_argument("--quick", action="store_true", help="one short round per case, under 3 minutes; does not change docs/")
    parser.add_argument("--only", metavar="<regex>", default="", help="only the cases whose names match")
    parser.add_argument("--build", metavar="<folder>", default=os.path.join(contenders.ROOT, "build", "release"),
                        help="folder of the programs (default build/release)")
    parser.add_argument("--write", metavar="<file>", help="the document to write")
    parser.add_argument("--redraw", action="store_true", help="do not measure; write the document of the last run again")
    return parser.parse_args()


class Progress:
    """Prints a line per measurement, with the time since the start."""

    def __init__(self):
        self.began = time.monotonic()

    def __call__(self, line):
        print(f"{time.monotonic() - self.began:6.0f} s  {line}", flush=True)


def busy(seconds=1):
    """CPU share of all other processes."""
    def read():
        with open("/proc/stat") as file:
            times = [int(word) for word in file.readline().split()[1:9]]
        return sum(times), times[3] + times[4]
    total, idle = read()
    time.sleep(seconds)
    later, idle_later = read()
    return 1 - (idle_later - idle) / max(1, later - total)


def machine(bench, seconds, others):
    with open("/proc/cpuinfo") as file:
        found = re.search(r"model name\s*:\s*(.*)", file.read())
    day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    pinned = "server on one core, driver on the other" if (os.cpu_count() or 1) > 1 else "all on one core"
    return (f"Taken on {day}: {os.cpu_count()} cores ({found.group(1) if found else platform.machine()}), Linux "
            f"{platform.release()}, loopback, {pinned}; rounds of {bench.seconds} s over all contenders in turn, medians of "
            f"{bench.rounds} (± half the distance between the lowest and the highest); {seconds / 60:.0f} minutes in total. Before the run, other processes used "
            f"{others:.0%} of the CPU.")


def missing(paths):
    names = ("http_limit", "stdio_limit", "bridge_limit", "relay_limit", "many_tools", "client_calls")
    programs = [paths.fairlead] + [paths.program("bench/" + name) for name in names]
    return [program for program in programs if not os.access(program, os.X_OK)]


def measure(bench, only):
    for case in cases.ALL:
        if not re.search(only, case.__name__):
            continue
        try:
            case(bench)
        except (OSError, RuntimeError, ValueError) as trouble:
            bench.say(f"{case.__name__} left out: {trouble}")


def document_of(options, paths):
    if options.write:
        return options.write
    # Quick and partial runs do not replace the document.
    kept = not options.quick and not options.only
    return os.path.join(contenders.ROOT, "docs", "performance.md") if kept else os.path.join(paths.scratch, "performance.md")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = arguments()
    paths = contenders.Paths(options.build)
    data = os.path.join(paths.scratch, "quick.json" if options.quick or options.only else "full.json")
    if options.redraw:
        with open(data) as file:
            kept = json.load(file)
        report.write(document_of(options, paths), kept["rows"], kept["machine"])
        return 0
    if lacking := missing(paths):
        print("Not built: " + ", ".join(lacking), file=sys.stderr)
        return 1
    contenders.allow_many_files()
    say = Progress()
    if not paths.node:
        say("the packages of bench/peers are not installed: without servers and bridges of others")
    others = busy()
    if others > 0.1:
        say(f"others use {others:.0%} of this machine: the figures will be as unquiet")
    bench = cases.Bench(paths, options.quick, say)
    try:
        measure(bench, options.only)
    except KeyboardInterrupt:
        say("stopped; nothing is written")
        return 130
    shown = machine(bench, time.monotonic() - say.began, others)
    with open(data, "w") as file:
        json.dump({"machine": shown, "rows": bench.record.rows}, file)
    document = document_of(options, paths)
    report.write(document, bench.record.rows, shown)
    say(f"written: {os.path.relpath(document)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
