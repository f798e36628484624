"""usage: install_test.py <build directory> <C++ compiler>: installs, then builds and runs a program as a user would."""
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, COMPILER = Path(sys.argv[1]), sys.argv[2]
CONSUMER = Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.prefix = cls.work / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_program_runs(self):
        self.assertIn("fairlead", run(self.prefix / "bin" / "fairlead", "--version"))

    def test_serves_find_package(self):
        build = self.work / "by_cmake"
        run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "consumer"), "consumer: ok\n")

    def test_Finding_B11_pkg_config_names_the_prefix_without_a_trailing_slash(self):
        file, = self.prefix.glob("lib/**/pkgconfig/fairlead.pc")
        prefix = run("pkg-config", "--variable=prefix", file).strip()
        self.assertEqual(Path(prefix).resolve(), self.prefix.resolve())
        self.assertFalse(prefix.endswith("/"), prefix)
        self.assertNotIn("//", run("pkg-config", "--variable=libdir", file) + run("pkg-config", "--variable=includedir", file))

    def test_serves_pkg_config(self):
        places = {"PKG_CONFIG_PATH": ":".join(map(str, self.prefix.glob("lib/**/pkgconfig")))}
        flags = shlex.split(run("pkg-config", "--cflags", "--libs", "fairlead", env=os.environ | places))
        program = self.work / "by_pkg_config"
        run(COMPILER, "-std=c++23", CONSUMER / "main.cpp", "-o", program, *flags)
        self.assertEqual(run(program), "consumer: ok\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
