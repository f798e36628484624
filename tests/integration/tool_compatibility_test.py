"""usage: tool_compatibility_test.py <fairlead> [--record]: tool schemas stay compatible.

A released tool still accepts its released arguments, with the same meaning, and has no new required ones.
`--record` adds new tools and arguments to tests/golden/tools/<server>.json, and changes nothing else.
"""
import json
import sys
import unittest
from pathlib import Path

from server_process import ServerProcess

PROGRAM = sys.argv[1]
SERVERS = ("demo", "answer")
FOLDER = Path(__file__).resolve().parent.parent / "golden" / "tools"


def released(which):
    path = FOLDER / f"{which}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def breaks(old, new, where=""):
    """Lists the incompatible changes from an old schema to a new one."""
    found = []
    if old.get("type") != new.get("type"):
        found.append(f"{where or 'value'}: type {old.get('type')} became {new.get('type')}")
    gone = [value for value in old.get("enum", []) if value not in new.get("enum", old.get("enum"))]
    if gone or ("enum" in new and "enum" not in old):
        found.append(f"{where or 'value'}: fewer values are taken")
    for name in set(new.get("required", [])) - set(old.get("required", [])):
        found.append(f"{where}.{name}: is required now")
    for name, schema in old.get("properties", {}).items():
        if name not in new.get("properties", {}):
            found.append(f"{where}.{name}: is gone")
        else:
            found += breaks(schema, new["properties"][name], f"{where}.{name}")
    if "items" in old:
        found += breaks(old["items"], new.get("items", {}), f"{where}[]")
    return found


def current(which):
    tools, cursor = {}, None
    with ServerProcess(PROGRAM, which) as server:
        server.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
        while True:
            result = server.request("tools/list", {"cursor": cursor} if cursor else {})["result"]
            tools |= {tool["name"]: tool["inputSchema"] for tool in result["tools"]}
            if not (cursor := result.get("nextCursor")):
                return tools


class ToolCompatibility(unittest.TestCase):
    def test_S0_32_released_tool_schemas_stay_compatible(self):
        self.assertLessEqual({"echo", "blob", "progress"}, set(released("demo")))
        self.assertLessEqual({"answer", "answer_detailed", "answer_quick"}, set(released("answer")))
        for which in SERVERS:
            now = current(which)
            for name, schema in released(which).items():
                self.assertIn(name, now)
                self.assertEqual(breaks(schema, now[name]), [], name)

    def test_S0_32_an_incompatible_change_is_detected(self):
        old = {"type": "object", "required": ["a"], "properties": {
            "a": {"type": "string"}, "b": {"enum": ["x", "y"]}, "c": {"type": "array", "items": {"type": "string"}}}}

        def changed(**properties):
            return {**old, "properties": {**old["properties"], **properties}}

        self.assertEqual(breaks(old, changed(d={"type": "number"}, b={"enum": ["x", "y", "z"]})), [])
        self.assertTrue(breaks(old, {**old, "properties": {"a": {"type": "string"}}}))
        self.assertTrue(breaks(old, {**old, "required": ["a", "b"]}))
        self.assertTrue(breaks(old, changed(a={"type": "number"})))
        self.assertTrue(breaks(old, changed(b={"enum": ["x"]})))
        self.assertTrue(breaks(old, changed(c={"type": "array", "items": {"type": "number"}})))


if __name__ == "__main__":
    if "--record" in sys.argv:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for which in SERVERS:
            text = json.dumps(current(which) | released(which), indent=1, sort_keys=True)
            (FOLDER / f"{which}.json").write_text(text + "\n", encoding="utf-8")
    else:
        unittest.main(argv=sys.argv[:1])
