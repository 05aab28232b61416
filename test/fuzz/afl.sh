#!/bin/sh
# Runs a fuzz target under AFL++ in persistent mode: afl.sh NAME SECONDS FOLDER   (NAME: terminal or restore)
# FOLDER gets the program, the findings and fuzzer_stats; exit status 1 when something crashed or hung.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
name=$1 seconds=$2 folder=$3
mkdir -p "$folder"
afl-clang-fast++ -std=c++20 -O2 -DFMT_SHARED -I"$root/src" "$here/afl_main.cpp" "$here/$name.cpp" \
  $(ls "$root"/src/term/*.cpp "$root"/src/base/*.cpp | grep -v _test.cpp) -lfmt -o "$folder/target"
AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 \
  afl-fuzz -V "$seconds" -i "$here/seeds/$name" -o "$folder/out" -- "$folder/target" >"$folder/log" 2>&1 || true
grep -E "^(run_time|execs_done|execs_per_sec|corpus_count|saved_crashes|saved_hangs)" "$folder/out/default/fuzzer_stats"
grep -q "^saved_crashes *: 0$" "$folder/out/default/fuzzer_stats"
