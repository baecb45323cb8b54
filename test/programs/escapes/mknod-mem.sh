#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
mknod "$WS/mem" c 1 1 && managed "made a device"
exit 0
