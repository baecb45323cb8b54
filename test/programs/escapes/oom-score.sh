#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
echo -1000 > /proc/self/oom_score_adj && managed "made itself immortal"
exit 0
