#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls -l "/proc/$HOSTPID/fd" && managed "listed the descriptors of the gate"
exit 0
