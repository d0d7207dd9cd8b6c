#!/bin/sh
# run_blocks.sh VIV PATH: the test blocks below PATH. Passes when viv says so twice: by its status and by its last line.
output=$("$1" test "$2" 2>&1)
status=$?
printf '%s\n' "$output"
[ $status -eq 0 ] || exit $status
printf '%s\n' "$output" | tail -n 1 | grep -Eqx '[1-9][0-9]* passed, 0 failed' || {
    echo "run_blocks.sh: the last line is not 'N passed, 0 failed'"
    exit 1
}
