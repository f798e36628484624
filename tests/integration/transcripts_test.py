"""usage: transcripts_test.py <fixture_server>: replays tests/transcripts/*.txt against server processes."""
import re
import sys
import unittest
from pathlib import Path

from transcript import TRANSCRIPTS, Replay
from server_process import ServerProcess

FIXTURE = sys.argv[1]


class Transcripts(unittest.TestCase):
    def replay(self, name):
        self.assertEqual(Replay(name).run(lambda which: ServerProcess(FIXTURE, which)), (b"", 0))

    def test_S3_04_replays_the_example_flow_of_seed_003(self):
        self.replay("seed_003_flow")

    def test_S3_06_S3_31_replays_the_methods_of_seed_003(self):
        self.replay("seed_003_methods")

    def test_S3_27_S3_28_S3_29_replays_the_errors_of_seed_003(self):
        self.replay("seed_003_errors")

    def test_S4_02_S4_12_S4_15_S4_16_replays_seed_004(self):
        self.replay("seed_004")

    def test_every_transcript_is_replayed(self):
        here = Path(__file__).resolve()
        tests = here.read_text(encoding="utf-8") + here.with_name("answer_test.py").read_text(encoding="utf-8")
        replayed = set(re.findall(r'self\.replay\("(\w+)"\)', tests))
        self.assertEqual(replayed, {path.stem for path in TRANSCRIPTS.glob("*.txt")})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
