#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch /etc/cron.d/escaped && rm /etc/cron.d/escaped && managed "planted a job"
exit 0
