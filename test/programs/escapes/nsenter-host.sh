#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
nsenter -t "$HOSTPID" -m /bin/true && managed "entered the namespace of the gate"
exit 0
