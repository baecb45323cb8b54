#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ulimit -Hu unlimited && managed "lifted the limit of tasks"
exit 0
