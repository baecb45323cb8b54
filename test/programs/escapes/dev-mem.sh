#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
head -c 1 /dev/mem /dev/kmem /dev/port && managed "read memory"
exit 0
