#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ulimit -Hn 2000000 && managed "raised its limits"
exit 0
