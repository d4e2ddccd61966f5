#!/bin/sh
# `nc -z HOST PORT`, which Alpine's busybox knows and Debian's does not.
set -eu
[ "$1" = -z ]
exec busybox nc "$2" "$3" -e true
