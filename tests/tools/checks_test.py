"""Tests the scripts of tools/ with small made-up source trees, for each rule one that passes and one that fails."""
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

    def test_refuses_asio_in_a_public_header(self):
        self.write("include/fairlead/base/asio_task.hpp", "#include <boost/asio/post.hpp>\n")
        self.write("include/fairlead/http/client.hpp", "#include <boost/asio/post.hpp>\n")
        self.assert_refused("include/fairlead/http/client.hpp:1:", "brings Asio into a public header")

    def test_refuses_a_header_that_includes_asio_in_another(self):
        self.write("include/fairlead/http/client.hpp", "#include <fairlead/base/asio_task.hpp>\n")
        self.assert_refused("include/fairlead/http/client.hpp:1:", "brings Asio into a public header")

    def test_checks_public_headers_in_quotes(self):
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

    def test_counts_an_umbrella_header_as_its_layer(self):
        self.write("src/session/session.cpp", "#include <fairlead/client.hpp>\n")
        self.assert_refused("session/ may not include client/")

    def test_refuses_a_private_header_in_a_public_one(self):
        self.write("include/fairlead/json/payload.hpp", '#include "json/index.hpp"\n')
        self.assert_refused("include/fairlead/json/payload.hpp:1:", "private")

    def test_refuses_a_private_header_named_without_its_layer(self):
        self.write("src/json/scan.cpp", '#include "index.hpp"\n')
        self.assert_refused("by its layer")

    def test_holds_the_folders_of_the_gateway_to_their_line(self):
        self.write("src/gateway/upstream/upstream.cpp", '#include "gateway/model/backend.hpp"\n')
        self.write("src/gateway/gateway.cpp", '#include "gateway/upstream/upstream.hpp"\n')
        self.assert_clean()
        self.write("src/gateway/model/backend.cpp", '#include "gateway/upstream/upstream.hpp"\n')
        self.assert_refused("src/gateway/model/backend.cpp:1:", "gateway/model/ may not include gateway/upstream/")
        self.write("src/gateway/model/backend.cpp", '#include "gateway/gateway.hpp"\n')
        self.assert_refused("may not include the root of gateway/")
        self.write("src/gateway/model/backend.cpp", '#include "gateway/elsewhere/a.hpp"\n')
        self.assert_refused("gateway/elsewhere/ has no place")

    def test_keeps_openssl_in_crypto_and_tls(self):
        self.write("src/crypto/digest.cpp", "#include <openssl/sha.h>\n")
        self.write("src/http/tls_bio.hpp", "#include <openssl/bio.h>\n")
        self.assert_clean()
        self.write("src/http/websocket_send.cpp", "\n#include <openssl/rand.h>\n")
        self.assert_refused("src/http/websocket_send.cpp:2:", "only src/crypto/ and src/http/tls_* include openssl/rand.h")

    def test_refuses_a_revision_date_outside_its_folder(self):
        self.write("src/http/headers.cpp", 'auto name = "2025-06-18";\n')
        self.assert_refused("src/http/headers.cpp:1:", "ask the revision table")

    def test_refuses_a_revision_as_an_identifier(self):
        self.write("include/fairlead/protocol/revision.hpp", "extern const Revision r2025_06_18;\n")
        self.assert_refused("include/fairlead/protocol/revision.hpp:1:")

    def test_accepts_dates_in_their_folder_and_in_comments(self):
        self.write("src/protocol/revision/r2025_06_18.cpp", 'r.name = "2025-06-18";\n')
        self.write("src/http/headers.cpp", '// since 2025-06-18\nauto url = "http://x/";  /* 2025-06-18 */\n')
        self.assert_clean()

    def test_warns_about_a_long_file_without_failing(self):
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

    def test_refuses_a_lambda_with_a_capture(self):
        self.write("src/a.cpp", "co_await f(1, [x = std::move(y)] { x(); });\n")
        self.assert_refused("src/a.cpp:1:", "give it a name first")

    def test_refuses_a_conditional_expression(self):
        self.write("src/a.cpp", "int x = 1;\nauto y = x ? (co_await f()).value() : 2;\n")
        self.assert_refused("src/a.cpp:2:", "use an if statement")

    def test_refuses_a_braced_default_argument_of_a_task(self):
        self.write("include/fairlead/a.hpp", "Task<int> f(int a,\n  FramedOptions options = {});\n")
        self.assert_refused("include/fairlead/a.hpp:2:", "= Options()")

    def test_accepts_other_defaults(self):
        self.write("include/fairlead/a.hpp", "Task<int> f(std::string a = {});\nvoid g(FramedOptions options = {});\n")
        self.assert_clean()

    def test_ignores_comments_and_strings(self):
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

    def test_lists_requirements_without_a_test_and_passes(self):
        self.write("tests/json/a_test.cpp", "// S0-05 in a comment does not count\nTEST_F(Framing, S1_11b) {}\n")
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


class CheckWords(ToolTest):
    tool = "check_words"

    def setUp(self):
        super().setUp()
        self.write("tools/retired_words.txt", "# old and new\nWardrobe HeaderKeyedPool\n")

    def test_accepts_other_words(self):
        self.write("src/a.cpp", "// HeaderKeyedPool keeps its connections; there is no limit, and it is no longer empty\n")
        self.assert_clean()

    def test_refuses_a_retired_name_as_a_whole_word(self):
        self.write("src/a.cpp", "\nclass Wardrobe;\nclass Wardrobes;\n")
        self.assert_refused("src/a.cpp:2: 'Wardrobe' is retired: use HeaderKeyedPool")
        self.assertNotIn("a.cpp:3", self.run_tool().stdout)

    def test_refuses_phrases_in_sources_tests_and_pages(self):
        self.write("src/a.cpp", "/// Whoever asks.\n")
        self.write("tests/a_test.py", "# the client and his session\n")
        self.write("docs/a.md", "'two' is no integer\n")
        self.assert_refused("src/a.cpp:1: 'Whoever'", "tests/a_test.py:1: 'his'", "docs/a.md:1: 'is no integer'")

    def test_refuses_a_word_inside_an_identifier(self):
        self.write("src/a.cpp", "class HeaderWardrobe;\nvoid open_doors();\n")
        self.write("docs/a.md", "The member `was_told_by` is set.\n")
        self.write("tests/a_test.cpp", "TEST(A, PassesWhatNobodyAsked) {}\n")
        self.assert_refused("src/a.cpp:1: 'HeaderWardrobe' contains 'wardrobe': write pool", "src/a.cpp:2: 'open_doors'",
                            "docs/a.md:1: 'was_told_by'", "tests/a_test.cpp:1: 'PassesWhatNobodyAsked'")

    def test_refuses_a_word_as_an_identifier_but_not_in_prose(self):
        self.write("src/a.cpp", "// The guest is told.\nconst auto text = \"heard\";\n")
        self.write("docs/a.md", "The client is told.\n")
        self.assert_clean()
        self.write("src/b.cpp", "const auto told = 1;\n")
        self.write("tests/a_test.py", "said = 1\n")
        self.assert_refused("src/b.cpp:1: 'told'", "tests/a_test.py:1: 'said'")

    def test_accepts_words_that_only_contain_a_refused_one(self):
        self.write("src/a.cpp", "int unheard_of, outdoors, Toldo; // said\nauto said = 1;\n")
        self.assert_clean()

    def test_lets_decisions_use_the_old_names(self):
        self.write("docs/decisions/0001.md", "The Wardrobe serves whoever asks.\n")
        self.assert_clean()


class CheckFunctions(ToolTest):
    tool = "check_functions"

    def body(self, lines):
        return "int f(int a) {\n" + "  g(a);\n" * (lines - 1) + "}\n"

    def test_accepts_forty_lines(self):
        self.write("src/a.cpp", self.body(40))
        self.assert_clean()

    def test_refuses_one_line_more(self):
        self.write("src/a.cpp", "\n" + self.body(41))
        self.assert_refused("src/a.cpp:2: f has 41 lines: at most 40")

    def test_sees_members_of_classes(self):
        self.write("include/a.hpp", "namespace n {\nclass C {\n" + self.body(41) + "};\n}\n")
        self.assert_refused("include/a.hpp:3: f has 41 lines")

    def test_passes_over_types_tables_and_marked_functions(self):
        self.write("src/a.cpp", "struct S {\n" + "  int a;\n" * 50 + "};\nauto t = make({\n" + "  1,\n" * 50 + "});\n")
        self.write("src/b.cpp", "// NOLINTNEXTLINE(readability-function-size)\n" + self.body(60))
        self.write("src/c.cpp", "// {\n" + 'auto s = "{";\n' + self.body(40))
        self.assert_clean()


class CheckCommits(unittest.TestCase):
    def check(self, subject):
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(folder) / "tools"
            tools.mkdir()
            tool = tools / "check_commits"
            tool.write_bytes((ROOT / "tools" / "check_commits").read_bytes())
            tool.chmod(0o755)
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True)
            return subprocess.run([tool, "HEAD"], capture_output=True, text=True)

    def test_accepts_an_imperative(self):
        for subject in ("http: close idle connections", "gateway, cli: address all findings", "docs: pass on"):
            self.assertEqual(self.check(subject).returncode, 0, subject)

    def test_refuses_other_subjects(self):
        for subject, why in (("http: closes idle connections", "imperative"), ("http: added a limit", "imperative"),
                             ("Close idle connections", "layer: what it does now"), ("http: " + "a" * 67, "at most 72")):
            done = self.check(subject)
            self.assertEqual(done.returncode, 1, subject)
            self.assertIn(why, done.stdout)


class RepositoryList(unittest.TestCase):
    def test_holds_all_202_requirements(self):
        done = subprocess.run([ROOT / "tools" / "check_requirements"], capture_output=True, text=True)
        self.assertRegex(done.stdout, r"covered \d+ of 202")


if __name__ == "__main__":
    unittest.main()
