#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
exec 5>>/sys/kernel/mm/transparent_hugepage/enabled && managed "opened sysfs for writing"
exit 0
