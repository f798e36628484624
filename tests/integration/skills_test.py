"""usage: skills_test.py <program>: `fairlead skills` on folders, commands, URLs and configured servers."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TIMEOUT = 120


class Skills(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = os.environ | {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config")}
        self.write("pdf/SKILL.md", "---\nname: pdf\ndescription: Fill in forms\n---\nRead the form first.\n")
        self.write("pdf/references/forms.md", "# Forms\n")
        self.serve = [PROGRAM, "skills", "serve", self.folder / "skills"]

    def write(self, path, text):
        file = self.folder / "skills" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, "skills", *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done

    def url(self):
        process = subprocess.Popen([*map(str, self.serve), "--http", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=self.environment)

        def stop():
            process.terminate()
            process.wait(TIMEOUT)
        self.addCleanup(process.stderr.close)
        for line in process.stderr:
            if found := re.search(r"listening on (http://\S+/mcp)", line):
                reader = threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True)
                reader.start()
                self.addCleanup(reader.join)
                self.addCleanup(stop)
                return found.group(1)
        self.fail("it did not start")

    def test_a_folder_a_command_and_a_url_have_the_same_skills(self):
        (self.folder / "servers.yaml").write_text(f"servers:\n  mine:\n    command: {json.dumps([str(w) for w in self.serve])}\n")
        for server in (["skills"], ["--", *self.serve], [self.url()], ["mine", "-c", "servers.yaml"]):
            with self.subTest(server):
                self.assertEqual(self.run_it("list", *server).stdout.split(), ["pdf", "Fill", "in", "forms"])
                self.assertRegex(self.run_it("check", *server).stdout, r"^ *pdf +2 files, \d+ bytes\n$")
                self.assertIn("Read the form first.", self.run_it("get", "pdf", *server).stdout)
                self.assertEqual(self.run_it("get", "pdf", "--file", "references/forms.md", *server).stdout, "# Forms\n")
                self.assertIn("name: pdf", self.run_it("get", "skill://pdf/SKILL.md", *server).stdout)

    def test_json(self):
        listed = json.loads(self.run_it("list", "--json", "skills").stdout)["skills"]
        self.assertEqual([file["uri"] for file in listed[0]["resources"]],
                         ["skill://pdf/SKILL.md", "skill://pdf/references/forms.md"])
        self.assertEqual(json.loads(self.run_it("get", "pdf", "--json", "skills").stdout), listed[0])

    def test_mistakes_have_file_and_line(self):
        self.write("notes/SKILL.md", "---\nname: Notes\ndescription: x\n---\n")
        self.write("bare/SKILL.md", "# x\n")
        errors = self.run_it("check", "skills", code=1).stderr.splitlines()
        self.assertTrue(errors[0].startswith("skills/bare/SKILL.md:1: "), errors)
        self.assertTrue(errors[1].startswith("skills/notes/SKILL.md:2: "), errors)
        self.run_it("serve", "skills", code=1)

    def test_errors_say_what_to_do(self):
        self.assertIn("the server lists pdf", self.run_it("get", "word", "skills", code=1).stderr)
        self.assertIn("does not list a file", self.run_it("get", "pdf", "--file", "x", "skills", code=1).stderr)
        self.assertIn("has no skills", self.run_it("list", "--", PROGRAM, "answer", code=1).stderr)
        self.assertIn("list, check, get or serve", self.run_it(code=2).stderr)
        self.assertIn("name or the URI", self.run_it("get", code=2).stderr)
        self.assertIn("not both", self.run_it("list", "skills", "--", *self.serve, code=2).stderr)
        self.assertIn("one folder", self.run_it("serve", code=2).stderr)
        self.assertIn("is not a directory", self.run_it("list", "none", code=1).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
