import os,time,subprocess
while not os.path.exists("/dev/virtio-ports/pawl.report"): time.sleep(.1)
f=os.open("/dev/virtio-ports/pawl.report",os.O_WRONLY); os.dup2(f,1); os.dup2(f,2)
print(subprocess.run("uname -a; cat /sys/fs/cgroup/cgroup.controllers; free -m; systemctl --version|head -1; systemctl --failed; lsmod | grep -i -E '9p|virtio'; uptime",shell=True,capture_output=True,text=True),flush=True)
subprocess.run(["systemctl","poweroff"])
