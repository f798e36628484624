"""usage: snippets_test.py <build directory>: the C++ snippets in the documentation compile.

A snippet with an #include is a complete file. Other snippets name a file of tests/integration/snippets that surrounds them,
in a comment before the snippet: <!-- snippet: chain -->.
"""
import pathlib
import re
import sys
import unittest

from compiler import Compiler

ROOT = pathlib.Path(__file__).resolve().parents[2]
AROUND = pathlib.Path(__file__).resolve().parent / "snippets"
SNIPPET = re.compile(r"^(?:<!-- snippet: (\w+) -->\n)?^[ ]*```cpp\n(.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)


def pages():
    yield ROOT / "README.md"
    for folder in ("docs", "examples", "src"):
        yield from sorted((ROOT / folder).rglob("*.md"))


def snippets():
    """Yields each snippet with its page and line."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for found in SNIPPET.finditer(text):
            line = text.count("\n", 0, found.start(2))
            yield f"{page.relative_to(ROOT)}:{line}", found.group(1), found.group(2)


def whole(around, text):
    if "#include" in text:
        return text
    if around is None:
        raise AssertionError("name what stands around the snippet: <!-- snippet: name --> in the line before it, and "
                             "tests/integration/snippets/name.cpp")
    return (AROUND / f"{around}.cpp").read_text(encoding="utf-8").replace("SNIPPET", text)


class Snippets(unittest.TestCase):
    def test_Finding_B4_every_snippet_compiles(self):
        compiler = Compiler(sys.argv[1])
        count = 0
        for where, around, text in snippets():
            count += 1
            with self.subTest(where):
                self.assertEqual(compiler.errors(whole(around, text)), "")
        self.assertGreater(count, 5)

    def test_Finding_B4_a_missing_include_is_detected(self):
        self.assertIn("cout", Compiler(sys.argv[1]).errors('#include <fairlead/client.hpp>\nint main() { std::cout << 1; }\n'))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
