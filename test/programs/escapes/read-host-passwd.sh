#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
grep -q "^daemon:" /etc/passwd && managed "read the accounts"
exit 0
