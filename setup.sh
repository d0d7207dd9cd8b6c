#!/bin/sh
# Installs what Viv needs (Debian and Ubuntu, by apt-get) and builds it: ./setup.sh [PRESET [OPTION…]], where PRESET is
# one of CMakePresets.json's: release (the default, into build/), debug, asan, stress, pools or clang, and each OPTION one of
# cmake's, as -DVIV_WERROR=ON. Says and does nothing where nothing is missing and nothing has changed.
set -eu
cd "$(dirname "$0")"

preset=${1:-release}
[ $# -eq 0 ] || shift
packages="cmake ninja-build gcc libc6-dev re2c lemon pkg-config python3
    libedit-dev libcriterion-dev libsleef-dev zlib1g-dev"
[ "$preset" != clang ] || packages="$packages clang"

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

missing_packages() {
    for package in $packages; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=missing
        [ "$status" = installed ] || printf '%s ' "$package"
    done
}

install_packages() {
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "missing: $*; as root, run: apt-get install $*"
        as_root="sudo env"
    fi
    say "installing $*"
    apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120"
    [ -n "$as_root" ] || apt="env $apt"
    $apt update </dev/null >&2 || say "apt-get update failed; trying with the lists there are"
    $apt install -y --no-install-recommends "$@" </dev/null >&2 ||
        fail "apt-get could not install: $*"
}

# Where there is no apt-get, only a look at the tools: cmake names a missing library.
check_tools() {
    for tool in cmake ninja re2c lemon pkg-config python3; do
        command -v $tool >/dev/null || fail "$tool is missing. Viv is built with CMake 3.25, Ninja, a C17 compiler," \
            "re2c and lemon, from libedit, zlib, Criterion and SLEEF (their development files); its tests want Python 3."
    done
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    missing=$(missing_packages)
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install_packages $missing
else
    check_tools
fi

build=build
[ "$preset" = release ] || build=build-$preset

# A build folder that was made for another place, or before the presets changed, is configured again.
here=$(pwd -P)
configured_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt" 2>/dev/null || true)
if [ $# -gt 0 ] || [ ! -f "$build/build.ninja" ] || [ "$configured_for" != "$here" ] ||
    [ -n "$(find CMakePresets.json -newer "$build/build.ninja")" ]; then
    say "configuring and building $build/, which takes about a minute"
    fresh=
    [ -z "$configured_for" ] || [ "$configured_for" = "$here" ] || fresh=--fresh
    # shellcheck disable=SC2086
    log=$(cmake --preset "$preset" $fresh "$@" 2>&1) || fail "cmake failed:
$log"
    touch "$build/build.ninja"
fi
log=$(ninja -C "$build" --quiet 2>&1) || fail "the build failed:
$log"
case $log in
"" | *"no work to do"*) ;;
*) printf '%s\n' "$log" >&2 ;;
esac
