#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
exec 5>>/sys/fs/cgroup/memory/release_agent && managed "opened a release agent for writing"
exit 0
