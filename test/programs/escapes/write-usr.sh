#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch /usr/escaped && rm /usr/escaped && managed "wrote into /usr"
exit 0
