#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
exec 5>>/usr/bin/env && managed "opened a program for writing"
exit 0
