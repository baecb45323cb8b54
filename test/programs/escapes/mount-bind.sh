#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
mkdir -p "$WS/m" && mount --bind "$OUT" "$WS/m" && managed "bound a folder" && umount "$WS/m"
exit 0
