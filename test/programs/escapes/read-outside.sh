#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cat "$OUT/secret.txt" && managed "read a file outside"
exit 0
