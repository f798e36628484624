"""core_dump_test.py <fairlead>: the memory of the program, which holds tokens and keys, stays in the process."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

FAIRLEAD = os.path.abspath(sys.argv[1])
SECRET = "secret-of-this-test-7d1f"


def abort(command, folder, **variables):
    """Starts a program, aborts it, and returns its wait status."""
    environment = {name: value for name, value in os.environ.items() if name != "FAIRLEAD_DUMPABLE"} | variables
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)))
    try:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        process.stdout.readline()  # The program runs.
        process.send_signal(signal.SIGABRT)
        return os.waitpid(process.pid, 0)[1]
    finally:
        process.returncode = 0
        process.stdin.close()
        process.stdout.close()


class CoreDump(unittest.TestCase):
    def test_attack_a_crash_writes_no_core_dump(self):
        with tempfile.TemporaryDirectory() as folder:
            control = abort([FAIRLEAD, "demo"], folder, FAIRLEAD_DUMPABLE="1", SOME_KEY=SECRET)
            if not os.WCOREDUMP(control):
                self.skipTest("this machine writes no core dumps")
        with tempfile.TemporaryDirectory() as folder:
            status = abort([FAIRLEAD, "demo"], folder, SOME_KEY=SECRET)
            self.assertEqual(os.WTERMSIG(status), signal.SIGABRT)
            self.assertFalse(os.WCOREDUMP(status))
            self.assertEqual(os.listdir(folder), [])

    def test_servers_that_the_program_starts_keep_their_core_dumps(self):
        # PR_GET_DUMPABLE is 3.
        with tempfile.TemporaryDirectory() as folder:
            environment = {name: value for name, value in os.environ.items() if name != "FAIRLEAD_DUMPABLE"}
            server = f"{sys.executable} -c \"open('dumpable','w').write(str(__import__('ctypes').CDLL(None).prctl(3)))\""
            subprocess.run([FAIRLEAD, "ping", "--", "sh", "-c", server], cwd=folder, env=environment, timeout=60,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(os.path.join(folder, "dumpable"), encoding="ascii") as file:
                self.assertEqual(file.read(), "1")


unittest.main(argv=sys.argv[:1])
