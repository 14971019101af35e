#!/bin/sh
# Creates an environment with all packages: setup.sh FOLDER cpu|gpu. Repeating it completes it.
set -eu
venv=$1
engine=$2
python=${PYTHON:-python3.11}

fail() {
    echo "make setup: $*" >&2
    exit 1
}

if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
    fail "Python 3.11 is missing (tried $python). Install it, or name it: make PYTHON=/path/to/python3.11"
fi
if [ ! -x "$venv/bin/python" ]; then
    "$python" -m venv "$venv" ||
        fail "Python's venv module is missing (on Debian and Ubuntu: apt-get install python3.11-venv)."
fi
pip() {
    "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"
}

echo "Installing the packages into $venv; the first time this takes some minutes."
if [ "$engine" = cpu ]; then
    # The CPU build of torch is not on every index; PyTorch's own has it.
    torch=$(sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements-cpu.in)
    pip install --no-deps "$torch" 2>/dev/null ||
        pip install --no-deps "$torch" --extra-index-url https://download.pytorch.org/whl/cpu ||
        fail "$torch could not be installed; see above. Is the network reachable?"
fi
pip install -r requirements.in -r "requirements-$engine.in" -r requirements-dev.in \
    -c "constraints-$engine.txt" || fail "the packages could not be installed; see above."
if [ "$engine" = cpu ]; then
    # The engine asks for them without needing them here, and gets CUDA builds that do not load.
    pip uninstall --yes torchvision torchaudio torchcodec 2>/dev/null
fi
echo "The packages in $venv are complete."
