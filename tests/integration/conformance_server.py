"""The server with the fixtures of the official suite, which is built beside the program."""
import os


def conformance_server(program):
    return os.path.join(os.path.dirname(os.path.abspath(program)), "conformance-server")
