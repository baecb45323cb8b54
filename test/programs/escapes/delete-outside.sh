#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
rm "$OUT/victim" && managed "deleted outside"
exit 0
