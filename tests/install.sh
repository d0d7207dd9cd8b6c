#!/bin/sh
# What README.md says of installing and removing: what is installed works, and removing leaves no file. install.sh CMAKE BUILD
set -eu
cmake=$1 build=$2
work=$(mktemp -d)
manifest=$build/install_manifest.txt
# A person's own install keeps its manifest.
[ ! -f "$manifest" ] || cp -p "$manifest" "$work/kept"
finish() { rm -f "$manifest"; [ ! -f "$work/kept" ] || mv "$work/kept" "$manifest"; rm -rf "$work"; }
trap finish EXIT
prefix="$work/a prefix"

"$cmake" --install "$build" --prefix "$prefix" >"$work/log"
[ "$("$prefix/bin/viv" -e 'print(6 * 7)')" = 42 ]
for shell in bash zsh fish; do
    case $shell in
    bash) file=bash-completion/completions/viv ;;
    zsh) file=zsh/vendor-completions/_viv ;;
    fish) file=fish/vendor_completions.d/viv.fish ;;
    esac
    "$prefix/bin/viv" help --completion $shell | cmp - "$prefix/share/$file"
done
"$prefix/bin/viv" help --man | cmp - "$prefix/share/man/man1/viv.1"

xargs -d '\n' rm <"$manifest"
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || { echo "left: $left"; exit 1; }
echo "installed and removed"
