#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
kill -0 "$HOSTPID" && [ "$(tr "\0" " " < /proc/$HOSTPID/cmdline | grep -c node)" -gt 0 ] && managed "could signal the gate"
exit 0
