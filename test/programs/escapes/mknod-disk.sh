#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
mknod "$WS/disk" b 254 0 && managed "made a device"
exit 0
