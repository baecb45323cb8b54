#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cp /bin/true "$WS/set-id" && chmod 6755 "$WS/set-id" 2>/dev/null
[ -u "$WS/set-id" ] || [ -g "$WS/set-id" ] && managed "left a program that runs as its owner for everybody"
exit 0
