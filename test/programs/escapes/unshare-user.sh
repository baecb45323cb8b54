#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
unshare -U /bin/true && managed "made a user namespace"
exit 0
