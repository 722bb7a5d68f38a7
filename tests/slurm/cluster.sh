# shellcheck shell=bash
# Sourced by slurm_test.sh after tests/support/jobs.sh: startCluster FOLDER starts munged, slurmctld and one slurmd of
# their own, whose files, ports, key and socket are nobody else's, and stopCluster ends them. Without systemd and
# cgroups; as root or as any user.

# freePort: one that nobody listens at.
freePort() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

writeConfiguration() {
    local user host
    user=$(id -un) host=$(hostname -s)
    cat >"$cluster/slurm.conf" <<END
ClusterName=aureole
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(freePort)
SlurmdPort=$(freePort)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=20
MaxArraySize=100
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2
END
    # Any two devices do: nobody opens them.
    printf 'NodeName=%s Name=gpu File=%s\n' "$host" /dev/null "$host" /dev/zero >"$cluster/gres.conf"
}

# startCluster FOLDER, an empty one with a short name: sockets lie in it.
startCluster() {
    cluster=$1
    mkdir -p "$cluster/state" "$cluster/spool"
    chmod 755 "$cluster" # munged minds who else can write there
    (umask 077 && head -c 128 /dev/urandom >"$cluster/munge.key")
    writeConfiguration
    export SLURM_CONF=$cluster/slurm.conf
    # Beside systems without them, Debian has the daemons in sbin, which is not on every user's path.
    PATH=$PATH:/usr/sbin:/sbin
    munged --foreground --force --num-threads=2 --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" --seed-file="$cluster/munge.seed" \
        >"$cluster/munged.out" 2>&1 &
    daemons=($!)
    waitFor 20 test -S "$cluster/munge.socket" || return 1
    slurmctld -D -i >"$cluster/slurmctld.out" 2>&1 &
    daemons+=($!)
    waitFor 20 scontrol ping || return 1
    slurmd -D >"$cluster/slurmd.out" 2>&1 &
    daemons+=($!)
    waitFor 30 nodeIsIdle
}

nodeIsIdle() {
    sinfo --noheader --format=%t | grep -qx idle
}

# The last daemon first, each by its own number.
stopCluster() {
    local i
    if [ ${#daemons[@]} -gt 1 ]; then
        scancel --user="$(id -un)" 2>/dev/null || true
        waitFor 30 noJob || true
    fi
    for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
        kill "${daemons[i]}" 2>/dev/null || true
        wait "${daemons[i]}" 2>/dev/null || true
    done
    daemons=()
}

noJob() {
    [ -z "$(squeue --noheader 2>/dev/null)" ]
}
