"""client.py <folder> <conformance-client> <revision>[!] auth|other|<scenario>…
client.py <folder> <conformance-client> requirements <revision> <number of scenarios>

Runs the official suite against our client. Fails on warnings and on scenarios without a result, because the suite exits with
0 if it skips a scenario.

The first form runs one scenario at a time: `auth` means every authorization scenario that the suite lists for the revision,
`other` every other one. With an exclamation mark, runs scenarios that do not belong to the revision, and `auth` means those of
extensions. The second form runs the scenarios that a revision requires, all at once, as the suite scores them.
"""
import sys
import tempfile

from suite import Outcome, TIMEOUT, listed_scenarios, required_scenarios, run_scenario, run_suite, suite_command


def chosen(suite, revision, words):
    """The names that these words mean. Exits if a word means no scenario: the suite may have renamed them."""
    known = listed_scenarios(suite, "client")
    tag = "extension" if revision.endswith("!") else revision
    names = []
    for word in words:
        group = {"auth": True, "other": False}.get(word)
        found = [word] if group is None else [
            name for name, tags in known.items() if tag in tags and name.startswith("auth/") == group]
        if not found:
            sys.exit(f"the suite lists no scenarios of the group '{word}' for {revision}")
        names += found
    return names


def report(failed, names, where):
    if failed:
        sys.exit(f"failed at {where}: {' '.join(failed)}")
    print(f"passed at {where}, {len(names)} of {len(names)}: {' '.join(names)}")


def describe(name, outcome):
    print(f"failed: {name}" + ("" if outcome.has_result else ", which has no result"), outcome.printed, sep="\n")


def run_one_by_one(suite, program, revision, words):
    names = chosen(suite, revision, words)
    version = ["--spec-version", revision.removesuffix("!")] + (["--force"] if revision.endswith("!") else [])
    failed = []
    for name in names:
        outcome = run_scenario(suite, "client", "--command", program, "--scenario", name, *version)
        if not outcome.passed:
            describe(name, outcome)
            failed.append(name)
    report(failed, names, revision)


def run_required(suite, program, revision, count):
    names = required_scenarios(suite, "client", revision)
    if len(names) != int(count):
        sys.exit(f"the suite requires {len(names)} client scenarios for {revision}, not {count}")
    with tempfile.TemporaryDirectory() as results:
        # All scenarios run at once, so each may take longer than alone.
        done = run_suite(suite, results, "client", "--command", program, "--requirements", revision,
                         "--timeout", str(TIMEOUT * 1000))
        outcomes = {name: Outcome.of(results, name, done) for name in names}
    failed = [name for name, outcome in outcomes.items() if not outcome.passed]
    for name in failed:
        describe(name, outcomes[name])
    report(failed, names, f"requirements of {revision}")


def main():
    folder, program, revision, *words = sys.argv[1:]
    suite = suite_command(folder)
    if revision == "requirements":
        run_required(suite, program, *words)
    else:
        run_one_by_one(suite, program, revision, words)


main()
