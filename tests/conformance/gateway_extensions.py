"""gateway_extensions.py <folder> <fairlead> <conformance-server>

Runs every server scenario of an extension through the gateway, with one server and with two that both have tasks and skills.
The tools of the second server are renamed, because the suite calls tools by fixed names, and so are its skills, because
the suite warns of equal names.
"""
import shutil
import sys
import tempfile
from pathlib import Path

from extensions import EMPTY, verdict
from program import Program
from suite import extension_scenarios, run_scenario, suite_command

folder, fairlead, server = sys.argv[1:]


def configuration(ports):
    lines = ["listen: {port: 0}", "servers:"]
    for name, port in ports.items():
        lines += [f"  {name}:", f"    url: http://127.0.0.1:{port}/mcp", "    lazy: false"]
        if name != "first":
            lines.append(f"    chain: ['rename(\"*={name}_*\")']")
    return "\n".join(lines) + "\n"


def renamed_skills(folder):
    """A copy of the skills in which each name has a suffix."""
    shutil.copytree(Path(__file__).resolve().parent / "skills", folder)
    for file in sorted(folder.rglob("SKILL.md"), reverse=True):
        old, new = file.parent.name, file.parent.name + "-two"
        file.write_text(file.read_text(encoding="utf-8").replace(f"name: {old}", f"name: {new}", 1), encoding="utf-8")
        file.parent.rename(file.parent.with_name(new))
    return str(folder)


def run_scenarios(suite, names, ports, scratch):
    config = Path(scratch, "gateway.yaml")
    config.write_text(configuration(ports))
    wrong = []
    with Program([fairlead, "serve", "-c", str(config)], r"serving .* on http://[^ ]*:(\d+)/mcp") as gateway:
        for name in names:
            outcome = run_scenario(suite, "server", "--url", f"http://localhost:{gateway.port}/mcp", "--scenario", name)
            if reason := verdict(outcome, False, ("server", name) in EMPTY):
                wrong.append(f"{name} with {len(ports)} servers: {reason}\n{outcome.printed}")
    passed = len(names) - len(wrong)
    print(f"extension scenarios through the gateway with {len(ports)} servers: {passed} of {len(names)}")
    return wrong


def main():
    suite = suite_command(folder)
    names = extension_scenarios(suite, "server")
    listening = r"listening on http://[^ ]*:(\d+)/mcp"
    with tempfile.TemporaryDirectory() as scratch, Program([server, "--port", "0"], listening) as first, \
            Program([server, "--port", "0", "--skills", renamed_skills(Path(scratch, "skills"))], listening) as second:
        wrong = run_scenarios(suite, names, {"first": first.port}, scratch)
        wrong += run_scenarios(suite, names, {"first": first.port, "second": second.port}, scratch)
    if wrong:
        sys.exit("\n".join(wrong))


main()
