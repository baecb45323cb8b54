#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
for fd in /proc/self/fd/*; do n=${fd##*/}; [ "$n" -gt 2 ] && [ "$n" -lt 250 ] && [ -d "$fd/" ] && ls "$fd/.." && managed "had a folder open"; done
exit 0
