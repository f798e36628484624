"""Compiles source text with the flags of the examples, and discards the output."""
import json
import pathlib
import shlex
import subprocess
import tempfile

TIMEOUT = 300


class Compiler:
    def __init__(self, build):
        commands = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
        entry = next(each for each in commands if "example_hello.dir" in each["command"])
        self.folder = entry["directory"]
        self.words = list(self.kept(iter(shlex.split(entry["command"])), entry["file"]))

    @staticmethod
    def kept(words, source):
        """The command without source, output and precompiled header, which would hide missing includes."""
        for word in words:
            if word in ("-o", "-include", "-Xclang"):
                next(words)
            elif word not in ("-c", "-Winvalid-pch", source) and "ccache" not in word:
                yield word

    def errors(self, text):
        """The compiler's messages; empty on success."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "text.cpp")
            source.write_text(text, encoding="utf-8")
            done = subprocess.run([*self.words, "-fsyntax-only", "-Wno-unused", str(source)], cwd=self.folder,
                                  capture_output=True, text=True, timeout=TIMEOUT)
        return "" if done.returncode == 0 else done.stdout + done.stderr
