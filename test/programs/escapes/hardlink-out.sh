#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ln "$OUT/secret.txt" "$WS/hard" && managed "linked a file outside"
exit 0
