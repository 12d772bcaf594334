#!/bin/sh
# Installs the programs of packages.txt that are missing; where that needs a password, names them instead.
set -eu

# `command -v` would take the shell's own `kill` for the program of that name.
installed() (
	IFS=:
	for folder in $PATH; do
		[ ! -x "$folder/$1" ] || return 0
	done
	return 1
)

missing=""
packages=""
while read -r program package _; do
	case $program in "#"*) continue ;; esac
	! installed "$program" || continue
	missing="$missing $program"
	packages="$packages $package"
done <"$(dirname "$0")/packages.txt"
[ -n "$missing" ] || exit 0

as_root="env"
[ "$(id -u)" = 0 ] || as_root="sudo -n env"
if ! command -v apt-get >/dev/null || ! $as_root true 2>/dev/null; then
	echo "the tests need$missing; on Debian and Ubuntu: sudo apt install$packages" >&2
	exit 1
fi
echo "installing$packages"
# A package list that is out of date, or one of several that cannot be fetched, need not stop the rest.
$as_root apt-get -qq update || true
# shellcheck disable=SC2086 # a list of words
$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $packages >/dev/null
