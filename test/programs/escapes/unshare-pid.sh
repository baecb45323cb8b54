#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
unshare -p -f /bin/true && managed "made a pid namespace"
exit 0
