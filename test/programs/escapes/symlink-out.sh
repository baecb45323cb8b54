#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ln -s "$OUT/secret.txt" "$WS/link" && cat "$WS/link" && managed "followed a link out"
exit 0
