#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls "$OUT" && managed "listed a folder outside"
exit 0
