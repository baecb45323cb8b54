#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
nice -n -10 true 2>&1 | grep -q . || managed "raised its priority"
exit 0
