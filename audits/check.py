"""The command that is trusted: compile the spine from its sources in a folder of its own and audit what came out.

    env -i python3 -I audits/check.py [--root FOLDER] [--library FILE] [--jobs N] [--json]

It runs the files of this folder and the standard library, nothing else of the repository: they are read once, before anything
else, and hashed; TRUST.md says how to compute the same hash.  Exit code 0 with `no findings` when there are none, 1 with the
findings, 2 when it cannot be run.  `gnosis spine audit` runs the same code, from inside the package.
"""

import os
import sys


def load(folder: str) -> None:
    """The regular files of the folder, and the module `bundle`, made from the bytes that were read."""
    files = {}
    for entry in sorted(os.scandir(folder), key=lambda e: e.name):
        if entry.is_file(follow_symlinks=False):
            with open(entry.path, "rb") as file:
                files[entry.name] = file.read()
        elif entry.name != "__pycache__":
            sys.exit(f"error: {entry.path} is no regular file; the folder is hashed as a list of files")
    bundle = type(sys)("audits.bundle")
    exec(compile(files["bundle.py"], "audits/bundle.py", "exec"), bundle.__dict__)
    bundle.FILES = files  # type: ignore[attr-defined]  # a module that was made two lines above
    bundle.install({name: data.decode() for name, data in files.items() if name.endswith(".py")})
    sys.modules["audits.bundle"] = bundle


if __name__ == "__main__":
    if not sys.flags.isolated:
        sys.exit("error: this must run as `env -i python3 -I audits/check.py`; without -I, Python runs files and variables that anybody can set")
    if sys.version_info < (3, 11):  # noqa: UP036  # whoever starts it may have an older one
        sys.exit("error: this needs Python 3.11 or later, and this is " + sys.version.split()[0])
    if sys.prefix != sys.base_prefix:
        sys.exit("error: this is the Python of the virtual environment " + sys.prefix + ", which has run files from there; use the one below it")
    load(os.path.dirname(os.path.realpath(__file__)))
    from audits.command import main

    sys.exit(main(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
