#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch "$WS/c" && chown 1234 "$WS/c" && managed "gave a file away"
exit 0
