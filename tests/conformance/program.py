"""A process of ours that the scripts in this directory start."""
import re
import subprocess
import sys


class Program:
    """A process that prints its address to stderr."""

    def __init__(self, words, pattern):
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(pattern, line):
                self.port = found.group(1)
                return
        sys.exit(f"{words[0]} did not start: {''.join(self.lines)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()
