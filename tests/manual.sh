#!/bin/sh
# The manual page and the completions name every command and option that `viv help` names, and are well formed: they come from one
# table, and this holds that they all do. manual.sh VIV
set -eu
viv=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { if "$@" >"$work/out" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $*"; cat "$work/out"; fi; }

"$viv" help --man >"$work/viv.1"
for shell in bash zsh fish; do "$viv" help --completion "$shell" >"$work/viv.$shell"; done
commands=$("$viv" help | sed -n 's/^  viv \[\{0,1\}\([a-z]\{2,\}\).*/\1/p')
for command in $commands; do
    check grep -q "^\.It Ic .*$command" "$work/viv.1"
    for shell in bash zsh fish; do check grep -qw -e "$command" "$work/viv.$shell"; done
    for option in $("$viv" help "$command" | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        check grep -qe "Fl ..$option" "$work/viv.1"
        for shell in bash zsh fish; do check grep -qwe "$option" "$work/viv.$shell"; done
    done
done
[ "$passed" -gt 20 ] || { failed=$((failed + 1)); echo "failed: viv help lists too few commands"; }
check bash -n "$work/viv.bash"
if command -v mandoc >/dev/null; then check mandoc -Tlint "$work/viv.1"; fi
if command -v zsh >/dev/null; then check zsh -n "$work/viv.zsh"; fi
if command -v fish >/dev/null; then check fish -n "$work/viv.fish"; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
