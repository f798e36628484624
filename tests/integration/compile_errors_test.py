"""usage: compile_errors_test.py <build directory>: usage errors that the library detects at compile time, and their messages."""
import sys
import unittest

from compiler import Compiler

COMPILER = Compiler(sys.argv[1])


def server(registration, before=""):
    return f"""#include <fairlead/server.hpp>
#include <boost/describe.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>
using namespace fairlead;
{before}
void offer(Server& app) {{ {registration}; }}
"""


class Handlers(unittest.TestCase):
    ADVICE = 'write Arg<"a", int>'

    def test_Finding_B2_rejects_a_parameter_without_a_name(self):
        for parameters in ("int a, int b", "std::string s", "const std::string& s", "std::optional<int> a",
                           "std::vector<int> list, Context&", 'Arg<"a", int>, double b', 'Doc<int, "n"> n'):
            with self.subTest(parameters):
                printed = COMPILER.errors(server(f'app.tool("t", "", []({parameters}) {{ return 1; }})'))
                self.assertIn(self.ADVICE, printed.replace('\\"', '"'))

    def test_Finding_B2_rejects_prompts_and_resources_too(self):
        for registration in ('app.prompt("p", "", [](std::string s) { return s; })',
                             'app.resource<"a://{id}">("r", [](int id) { return std::to_string(id); })'):
            with self.subTest(registration):
                self.assertIn(self.ADVICE, COMPILER.errors(server(registration)).replace('\\"', '"'))

    def test_Finding_B2_accepts_named_parameters(self):
        registrations = """
            app.tool("a", "", [](Arg<"a", int> a, Arg<"b", std::vector<int>> b, Context&) { return *a + int(b->size()); });
            app.tool("b", "", [](Both both) { return both.a; });
            app.tool("c", "", [](Payload all) { return std::string(all.text()); });
            app.tool("d", "", [](std::map<std::string, int> all) { return all.size(); });
            app.complete(protocol::PromptReference{.name = "p"}, "x", [](std::string) { return std::vector<std::string>{}; })"""
        self.assertEqual(COMPILER.errors(server(registrations, "struct Both { int a; std::string b; };")), "")


class Enumerations(unittest.TestCase):
    def test_Finding_B1_out_of_range_values_name_the_fix(self):
        printed = COMPILER.errors(server('app.tool("t", "", [] { return E::far; })', "enum class E { far = 100000 };"))
        self.assertIn("BOOST_DESCRIBE_ENUM", printed)
        described = "enum class E { far = 100000 };\nBOOST_DESCRIBE_ENUM(E, far)"
        self.assertEqual(COMPILER.errors(server('app.tool("t", "", [] { return E::far; })', described)), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
