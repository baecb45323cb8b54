#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cat "$WS/../outside/secret.txt" && managed "walked out with dots"
exit 0
