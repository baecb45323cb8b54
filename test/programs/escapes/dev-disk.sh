#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
head -c 1 /dev/vda /dev/sda /dev/nvme0n1 2>&1 | grep -qv "No such" && [ -e /dev/vda ] && managed "read a disk"
exit 0
