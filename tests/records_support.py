"""What the tests of records have in common."""

from __future__ import annotations

import os

from gnosis.gates.cumloss import Bet, ChargeGate

GATE = ChargeGate(Bet(20, 11, 10), "0.1")


def in_child(work) -> str:
    """What `work` returns in the child of a fork."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.write(writer, str(work()).encode())
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        said = file.read().decode()
    os.waitpid(child, 0)
    return said
