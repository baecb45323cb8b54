#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
[ "$(ls -d /proc/[0-9]* | wc -l)" -gt 30 ] && managed "saw the processes of others"
exit 0
