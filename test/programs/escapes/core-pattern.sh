#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
exec 5>>/proc/sys/kernel/core_pattern && managed "opened core_pattern for writing"
exit 0
