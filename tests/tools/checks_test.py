"""The tools of tools/ against small made-up trees: each rule is seen to hold and to fail."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ToolTest(unittest.TestCase):
    tool = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)

    def write(self, path, text):
        (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / path).write_text(text, encoding="utf-8")

    def run_tool(self, *options):
        return subprocess.run([ROOT / "tools" / self.tool, *options, self.tree], capture_output=True, text=True)

    def assert_clean(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_refused(self, *parts):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stdout)


class CheckLayers(ToolTest):
    tool = "check_layers"

    def test_accepts_includes_to_the_left(self):
        self.write("include/fairlead/json/payload.hpp", "#include <string>\n#include <fairlead/base/result.hpp>\n")
        self.write("src/protocol/codec.cpp", '#include <fairlead/json/payload.hpp>\n#include "protocol/codec.hpp"\n')
        self.write("src/cli/main.cpp", "#include <fairlead/server.hpp>\n#include <boost/json/value.hpp>\n")
        self.assert_clean()

    def test_refuses_a_public_include_to_the_right(self):
        self.write("include/fairlead/base/result.hpp", "\n#include <fairlead/json/payload.hpp>\n")
        self.assert_refused("include/fairlead/base/result.hpp:2:", "base/ may not include json/")

    def test_sees_through_quotes_around_a_public_header(self):
        self.write("include/fairlead/base/result.hpp", '#include "fairlead/base/clock.hpp"\n')
        self.assert_clean()
        self.write("src/base/clock.cpp", '#include "fairlead/json/payload.hpp"\n')
        self.assert_refused("src/base/clock.cpp:1:", "base/ may not include json/")

    def test_refuses_a_private_include_to_the_right(self):
        self.write("src/json/scan.cpp", '#include "jsonrpc/reader.hpp"\n')
        self.assert_refused("src/json/scan.cpp:1:", "json/ may not include jsonrpc/")

    def test_keeps_server_and_client_apart(self):
        self.write("src/client/peer.cpp", "#include <fairlead/server/server.hpp>\n")
        self.assert_refused("src/client/peer.cpp:1:", "may not include each other")

    def test_counts_a_front_door_header_as_its_layer(self):
        self.write("src/session/session.cpp", "#include <fairlead/client.hpp>\n")
        self.assert_refused("session/ may not include client/")

    def test_refuses_a_private_header_in_a_public_one(self):
        self.write("include/fairlead/json/payload.hpp", '#include "json/index.hpp"\n')
        self.assert_refused("include/fairlead/json/payload.hpp:1:", "private")

    def test_refuses_a_private_header_named_without_its_layer(self):
        self.write("src/json/scan.cpp", '#include "index.hpp"\n')
        self.assert_refused("by its layer")

    def test_refuses_a_revision_date_outside_its_folder(self):
        self.write("src/http/headers.cpp", 'auto name = "2025-06-18";\n')
        self.assert_refused("src/http/headers.cpp:1:", "ask the revision table")

    def test_refuses_a_revision_as_an_identifier(self):
        self.write("include/fairlead/protocol/revision.hpp", "extern const Revision r2025_06_18;\n")
        self.assert_refused("include/fairlead/protocol/revision.hpp:1:")

    def test_lets_dates_stand_in_their_folder_and_in_comments(self):
        self.write("src/protocol/revision/r2025_06_18.cpp", 'r.name = "2025-06-18";\n')
        self.write("src/http/headers.cpp", '// since 2025-06-18\nauto url = "http://x/";  /* 2025-06-18 */\n')
        self.assert_clean()

    def test_warns_of_a_long_file_without_failing(self):
        self.write("src/json/scan.cpp", "\n" * 301)
        self.assertIn("warning: 301 lines", self.run_tool().stdout)
        self.assert_clean()


class CheckCoroutines(ToolTest):
    tool = "check_coroutines"

    def test_accepts_named_values_and_lambdas(self):
        self.write("src/a.cpp", "auto x = X{1};\nco_await f(std::move(x));\nco_await g([&](int) { return 1; });\n")
        self.assert_clean()

    def test_refuses_a_braced_temporary(self):
        self.write("src/a.cpp", "\nco_await f(X{1});\n")
        self.assert_refused("src/a.cpp:2:", "give it a name first")

    def test_refuses_a_bare_brace_on_another_line(self):
        self.write("tests/a.cpp", "co_await f(1,\n  {2, 3});\n")
        self.assert_refused("tests/a.cpp:1:")

    def test_refuses_a_braced_default_of_what_will_be_awaited(self):
        self.write("include/fairlead/a.hpp", "Task<int> f(int a,\n  FramedOptions options = {});\n")
        self.assert_refused("include/fairlead/a.hpp:2:", "= Options()")

    def test_accepts_other_defaults(self):
        self.write("include/fairlead/a.hpp", "Task<int> f(std::string a = {});\nvoid g(FramedOptions options = {});\n")
        self.assert_clean()

    def test_reads_no_comment_and_no_string(self):
        self.write("src/a.cpp", 'co_await f("X{1}");  // co_await f(X{1});\n')
        self.assert_clean()


class CheckRequirements(ToolTest):
    tool = "check_requirements"

    def setUp(self):
        super().setUp()
        self.write("tools/requirements.txt", "# a list\n\nS0-05 M lines stay lines\nS1-11b M whole writes\n")

    def test_counts_ids_in_test_names(self):
        self.write("tests/json/a_test.cpp", "TEST(Framing,\n     StaysInLines_S0_05_Always) {}\n")
        self.write("tests/interop/b.mjs", "test('S1-11b writes are whole', () => {});\n")
        done = self.run_tool("--strict")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("covered 2 of 2", done.stdout)

    def test_lists_what_has_no_test_and_passes(self):
        self.write("tests/json/a_test.cpp", "// S0-05 in a comment is no test\nTEST_F(Framing, S1_11b) {}\n")
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("covered 1 of 2", done.stdout)
        self.assertIn("S0: 05", done.stdout)

    def test_fails_on_a_missing_test_when_strict(self):
        self.assertEqual(self.run_tool("--strict").returncode, 1)

    def test_refuses_an_unknown_id(self):
        self.write("tests/json/a_test.cpp", "\nTEST_P(Framing, Something_S0_55_Else) {}\n")
        self.assert_refused("tests/json/a_test.cpp:2: names S0-55")

    def test_refuses_an_unknown_id_in_a_script(self):
        self.write("tests/interop/b.py", "def test_S7_01_nothing():\n    pass\n")
        self.assert_refused("tests/interop/b.py:1: names S7-01")


class RepositoryList(unittest.TestCase):
    def test_holds_all_202_requirements(self):
        done = subprocess.run([ROOT / "tools" / "check_requirements"], capture_output=True, text=True)
        self.assertRegex(done.stdout, r"covered \d+ of 202")


if __name__ == "__main__":
    unittest.main()
