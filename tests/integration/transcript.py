"""Reads and replays tests/transcripts: requests to a server and its responses, one message per line.

  server <which>   the server to talk to
  > <text>         send this as a line
  > <n> <text>     send this after `Content-Length: <n>`, correct or not
  >= <text>        send this after a correct Content-Length
  < <text>         expect this response as a line
  < <n> <text>     expect this response with a Content-Length; ours is correct even if that of the document is wrong

A response may have members that the transcript does not show. <name> matches any text; later uses mean the same text.
"""
import json
import re
from pathlib import Path

from server_process import counted

TRANSCRIPTS = Path(__file__).resolve().parent.parent / "transcripts"
LINE = re.compile(r"(server|>=|>|<) (?:(\d+) )?(.*)")


class Replay:
    def __init__(self, name):
        text = (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")
        self.steps = [LINE.fullmatch(line).groups() for line in text.splitlines() if not line.startswith("#")]
        self.known = {}

    def shows(self, expected, actual, where="answer"):
        """Checks that `actual` contains everything in `expected`."""
        if isinstance(expected, dict):
            assert isinstance(actual, dict), f"{where}: {actual!r} is not an object"
            for key, value in expected.items():
                assert key in actual, f"{where}.{key} is missing in {actual!r}"
                self.shows(value, actual[key], f"{where}.{key}")
        elif isinstance(expected, list):
            assert isinstance(actual, list) and len(actual) == len(expected), f"{where}: {actual!r}"
            for index, (want, got) in enumerate(zip(expected, actual)):
                self.shows(want, got, f"{where}[{index}]")
        elif isinstance(expected, str) and re.fullmatch(r"<[\w.]+>", expected):
            assert isinstance(actual, str) and actual, f"{where}: {actual!r}"
            self.known[expected] = actual
        else:
            assert type(expected) is type(actual) and expected == actual, f"{where}: {actual!r} is not {expected!r}"

    def filled(self, text):
        for mark, value in self.known.items():
            text = text.replace(json.dumps(mark), json.dumps(value))
        return text

    def expect(self, server, count, text):
        framing = server.framing_of_next()
        assert framing == ("line" if count is None else "counted"), f"{framing}: {text}"
        self.shows(json.loads(text), server.receive())

    def run(self, start):
        """Replays against the server that `start(name)` returns. Returns its remaining output and exit status."""
        (_, _, which), *steps = self.steps
        with start(which) as server:
            for kind, count, text in steps:
                if kind == "<":
                    self.expect(server, count, text)
                elif kind == ">=" or count is not None:
                    server.send(counted(self.filled(text), count and int(count)))
                else:
                    server.send(self.filled(text))
            return server.rest()
