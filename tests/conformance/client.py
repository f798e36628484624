"""client.py <folder> <conformance-client> <revision>[!] <scenario>…

Runs the official suite against our client, one scenario at a time. Fails on warnings and on scenarios without a result,
because the suite exits with 0 if it skips a scenario. With an exclamation mark, also runs scenarios that do not belong to
the revision, such as those of extensions.
"""
import sys

from suite import run_scenario, suite_command


def main():
    folder, program, revision, *scenarios = sys.argv[1:]
    suite = suite_command(folder)
    version = ["--spec-version", revision.removesuffix("!")] + (["--force"] if revision.endswith("!") else [])
    failed = []
    for scenario in scenarios:
        outcome = run_scenario(suite, "client", "--command", program, "--scenario", scenario, *version)
        if not outcome.passed:
            print(f"failed: {scenario}" + ("" if outcome.has_result else ", which has no result"), outcome.printed, sep="\n")
            failed.append(scenario)
    if failed:
        sys.exit(f"failed at {revision}: {' '.join(failed)}")
    print(f"passed at {revision}: {' '.join(scenarios)}")


main()
