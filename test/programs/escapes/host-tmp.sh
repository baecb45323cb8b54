#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls /tmp/*/outside && managed "saw the temporary files of others"
exit 0
