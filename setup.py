"""The compiled kernels; everything else about the package is in pyproject.toml.

Without a C compiler that works the package is installed without them: `gnosis.core` then uses its plain modules.  One that works, and fails on
a kernel, is an error.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from Cython.Compiler.Main import CompilationOptions, compile_single
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOM = Path("cython_core")
STEMS = ("blocks", "conformal", "cpu", "cumloss", "energy", "engine", "head", "lattice", "margin", "stream", "transformer")
# what else a kernel is made of, and kernels that it calls
ALSO = {"engine": ("engine_head", "engine_kernels", "engine_pack", "engine_pool", "blocks"), "transformer": ("blocks",)}

# No option that changes results: no fast-math, no contraction of a * b + c.  The two
# -fno- options drop errno and the floating-point exception flags, which nothing reads;
# every value stays, and loops become vector loops.
FLAGS = ["-O3", "-std=gnu11", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi"]


# What an installed package keeps of the checkout, as one file: the spine and what checks it work without a clone.
SOURCES = (
    "Gnosis",
    "audits",
    "bindings",
    "conformance",
    "cython_core",
    "pysrc",
    "docs",
    "lakefile.lean",
    "lean-toolchain",
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "NOTICE",
    "MANIFEST.in",
)
LEFT_OUT = {".so", ".pyd", ".pyc", ".o", ".a", ".png", ".svg"}  # generated, and pictures


def source_files():
    """The files of SOURCES, sorted; nothing that was generated."""
    found = []
    for name in SOURCES:
        path = Path(name)
        found += [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return sorted(
        p for p in found if p.suffix not in LEFT_OUT and not {"__pycache__", "_cython", "build"} & set(p.parts) and not p.parent.name.endswith(".egg-info")
    )


class BuildPackage(build_py):
    """Adds sources.zip; the same files give the same bytes.  An editable install has the checkout itself."""

    def run(self):
        super().run()
        if not self.editable_mode:
            with zipfile.ZipFile(self.archive(), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
                for path in source_files():
                    archive.writestr(zipfile.ZipInfo(path.as_posix()), path.read_bytes(), zipfile.ZIP_DEFLATED)

    def archive(self):
        return str(Path(self.build_lib, "gnosis", "sources.zip"))

    def get_outputs(self, include_bytecode=True):
        return super().get_outputs(include_bytecode) + ([] if self.editable_mode else [self.archive()])


class BuildKernels(build_ext):
    """Each module is <stem>.pyx and the kernel <stem>.c; Cython's output goes elsewhere, as <stem>_module.c."""

    def initialize_options(self):
        super().initialize_options()
        self.parallel = os.cpu_count()

    def build_extensions(self):
        for ext in self.extensions:  # one after the other: Cython keeps state of its own
            self.translate(ext)
        super().build_extensions()

    def module_source(self, ext):
        return Path(self.build_temp) / f"{ext.name.rpartition('.')[2]}_module.c"

    def translate(self, ext):
        source, output = ROOM / f"{ext.name.rpartition('.')[2]}.pyx", self.module_source(ext)
        if self.force or not output.exists() or output.stat().st_mtime < source.stat().st_mtime:
            output.parent.mkdir(parents=True, exist_ok=True)
            options = CompilationOptions(output_file=str(output.resolve()), language_level=3)
            if compile_single(str(source), options, full_module_name=ext.name).num_errors:
                raise SystemExit(f"{source}: Cython failed")

    def build_extension(self, ext):
        # the argument handling that Cython writes gains nothing from -O3, and takes long to compile with it
        source = self.module_source(ext)
        (made,) = self.compiler.object_filenames([str(source)], output_dir=self.build_temp)
        if self.force or not Path(made).exists() or Path(made).stat().st_mtime < source.stat().st_mtime:
            self.compiler.compile([str(source)], output_dir=self.build_temp, include_dirs=[str(ROOM)], extra_postargs=["-O1", "-std=gnu11"])
        ext.extra_objects = [made]
        super().build_extension(ext)


def extension(stem):
    return Extension(
        f"gnosis.core.{stem}",
        [f"{ROOM}/{name}.c" for name in (stem, *ALSO.get(stem, ()))],
        depends=[f"{ROOM}/{stem}.pyx", *(str(header) for header in sorted(ROOM.glob("*.h")))],
        include_dirs=[str(ROOM)],
        extra_compile_args=FLAGS,
    )


def compiler():
    """The C compiler that setuptools would call; None when it is not there, or cannot compile a function of one line."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if shutil.which(command[0]) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "one.c")
        source.write_text("int one(void) { return 1; }\n")
        return command if subprocess.run([*command, "-c", str(source), "-o", str(source.with_suffix(".o"))], capture_output=True).returncode == 0 else None


STEMS = STEMS if compiler() else ()
if not STEMS:
    print("gnosis: no C compiler that works was found (CC, else that of Python); installing without compiled kernels", file=sys.stderr)
setup(ext_modules=[extension(stem) for stem in STEMS], cmdclass={"build_ext": BuildKernels, "build_py": BuildPackage})
