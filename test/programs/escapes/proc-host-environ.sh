#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cat "/proc/$HOSTPID/environ" && managed "read the environment of the gate"
exit 0
