#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
echo x > "$OUT/written" && managed "wrote outside"
exit 0
