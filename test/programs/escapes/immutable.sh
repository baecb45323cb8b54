#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch "$WS/i" && chattr +i "$WS/i" && managed "made a file immutable" && chattr -i "$WS/i"
exit 0
