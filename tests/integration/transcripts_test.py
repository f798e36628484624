"""usage: transcripts_test.py <fixture_server>: replays tests/transcripts/*.txt against real servers over real pipes.

  server <which>   starts the fixture of that name
  > <text>         is sent as a line
  > <n> <text>     is sent behind `Content-Length: <n>`, right or wrong
  >= <text>        is sent behind a right count
  < <text>         is the next answer, as a line
  < <n> <text>     is the next answer, counted; our count is right, whatever the document's is

An answer may have members that the transcript does not show. A text in <> stands for any text, and for that text later.
"""
import json
import re
import sys
import unittest
from pathlib import Path

from server_process import ServerProcess, counted

FIXTURE = sys.argv[1]
TRANSCRIPTS = Path(__file__).resolve().parent.parent / "transcripts"
LINE = re.compile(r"(server|>=|>|<) (?:(\d+) )?(.*)")


class Replay:
    def __init__(self, name):
        text = (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")
        self.steps = [LINE.fullmatch(line).groups() for line in text.splitlines() if not line.startswith("#")]
        self.known = {}

    def shows(self, expected, actual, where="answer"):
        """Fails unless all that is expected is there."""
        if isinstance(expected, dict):
            assert isinstance(actual, dict), f"{where}: {actual!r} is no object"
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

    def run(self):
        """Returns the last answer's server's exit status, and what came after the transcript's end."""
        (_, _, which), *steps = self.steps
        with ServerProcess(FIXTURE, which) as server:
            for kind, count, text in steps:
                if kind == "<":
                    self.expect(server, count, text)
                elif kind == ">=" or count is not None:
                    server.send(counted(self.filled(text), count and int(count)))
                else:
                    server.send(self.filled(text))
            return server.rest()


class Transcripts(unittest.TestCase):
    def replay(self, name):
        self.assertEqual(Replay(name).run(), (b"", 0))

    def test_S0_09_S0_20_replays_seed_000_with_its_wrong_counts(self):
        self.replay("seed_000_counted")

    def test_S0_04_S0_05_replays_seed_000_as_lines(self):
        self.replay("seed_000_lines")

    def test_S3_04_replays_the_example_flow_of_seed_003(self):
        self.replay("seed_003_flow")

    def test_S3_06_S3_31_replays_the_methods_of_seed_003(self):
        self.replay("seed_003_methods")

    def test_S3_27_S3_28_S3_29_replays_the_errors_of_seed_003(self):
        self.replay("seed_003_errors")

    def test_S4_02_S4_12_S4_15_S4_16_replays_seed_004(self):
        self.replay("seed_004")

    def test_every_transcript_is_replayed(self):
        replayed = set(re.findall(r'self\.replay\("(\w+)"\)', Path(__file__).read_text(encoding="utf-8")))
        self.assertEqual(replayed, {path.stem for path in TRANSCRIPTS.glob("*.txt")})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
