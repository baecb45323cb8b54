#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
cat /etc/shadow && managed "read the passwords"
exit 0
