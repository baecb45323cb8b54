#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
tr "\0" "\n" < /proc/1/environ | grep "^PATH=" && managed "read the environment of the launcher"
exit 0
