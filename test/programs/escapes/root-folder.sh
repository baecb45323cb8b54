#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch /escaped && rm /escaped && managed "wrote into the root folder"
exit 0
