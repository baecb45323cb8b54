#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cat "/proc/1/root$OUT/secret.txt" && managed "read through the root of process 1"
exit 0
