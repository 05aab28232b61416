#!/bin/sh
# Asks the tmux of this machine again instead of trusting the golden file: live.sh ORACLE_TEST CORPUS EXCEPTIONS [RECORDING…]
# Leaves with 77 (skipped) where tmux or python3 is missing or tmux is of another version than the golden file.
set -eu
test_program=$1 corpus=$2 exceptions=$3
shift 3
command -v tmux >/dev/null && command -v python3 >/dev/null || { echo "tmux or python3 is missing"; exit 77; }
[ "$(tmux -V)" = "tmux 3.3a" ] || { echo "not tmux 3.3a but $(tmux -V)"; exit 77; }
golden=$(mktemp)
trap 'rm -f "$golden"' EXIT
LC_ALL=C.UTF-8 python3 "$(dirname "$0")/tmux.py" "$corpus" "$@" >"$golden"
"$test_program" tmux "$golden" "$exceptions"
