#!/bin/sh
# A service that does what Pawl does not: below its cgroup are others that have the controllers $1, and it lives in one of them.
group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
mkdir -p "$group/leaf" "$group/other" && echo $$ >"$group/leaf/cgroup.procs" && echo "$1" >"$group/cgroup.subtree_control"
sleep 901 &
echo $! >"$group/other/cgroup.procs"
exec sleep 902
