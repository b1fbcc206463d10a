// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/sweep/slurm/slurm_cluster.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "tests/sim/sweep/slurm/fake_slurm.h"
#include "tests/support/text.h"

namespace vnpu::test {

namespace {

namespace fs = std::filesystem;

/// Daemons are in /usr/sbin, which is not on everybody's PATH.
constexpr const char* kPath = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";

sim::ChildProgram started(std::vector<std::string> words) {
    words.insert(words.begin(), {"/usr/bin/env", kPath});
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    sim::ChildProgram program(std::move(words), {nothing, nothing, nothing});
    close(nothing);
    return program;
}

/// A port of this machine that nobody uses.
unsigned freePort() {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    REQUIRE(bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    close(descriptor);
    return ntohs(address.sin_port);
}

std::string hostName() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::string contentsOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The parent of a process: the fourth field of /proc/PID/stat.
pid_t parentOf(const std::string& process) {
    const std::string text = contentsOf("/proc/" + process + "/stat");
    const std::size_t end = text.rfind(')');  // of the name, which may hold spaces
    return end == std::string::npos ? 0 : std::atoi(text.c_str() + end + 3);
}

}  // namespace

std::string SlurmCluster::obstacle() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo"}) {
        if (!fs::exists(fs::path("/usr/sbin") / program) &&
            !fs::exists(fs::path("/usr/bin") / program)) {
            return fmt::format("{} is missing (Debian: slurm-wlm and munge)", program);
        }
    }
    return "";
}

SlurmCluster::SlurmCluster() {
    fs::create_directory(folder_ / "munge");
    fs::permissions(folder_ / "munge", fs::perms::owner_all);
    fs::create_directory(folder_ / "state");
    // Any key is good for a cluster that only this user reaches.
    writeFile(folder_ / "munge/key", std::string(1024, 'k'));
    fs::permissions(folder_ / "munge/key", fs::perms::owner_read);
    writeConfiguration();
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    munge_.emplace(started({"munged", "--foreground", "--force", "--num-threads=2",
                            "--key-file=" + (folder_ / "munge/key").string(),
                            "--socket=" + (folder_ / "munge/socket").string(),
                            "--pid-file=" + (folder_ / "munge/pid").string(),
                            "--seed-file=" + (folder_ / "munge/seed").string(),
                            "--log-file=" + (folder_ / "munge/log").string()}));
    waitUntil([&] { return fs::exists(folder_ / "munge/socket"); });
    startController();
    for (std::size_t node = 0; node < kNodes; ++node) {
        startNode(node);
    }
    waitUntil([&] { return contains(state(), "n0 idle\nn1 idle\n"); });
}

SlurmCluster::~SlurmCluster() {
    for (std::size_t node = 0; node < kNodes; ++node) {
        killNode(node);
    }
    unsetenv("SLURM_CONF");
}

void SlurmCluster::writeConfiguration() const {
    const passwd* user = getpwuid(geteuid());
    REQUIRE(user != nullptr);
    std::string text = fmt::format(R"(ClusterName=test
SlurmctldHost={1}(127.0.0.1)
SlurmctldPort={2}
SlurmUser={3}
SlurmdUser={3}
AuthType=auth/munge
AuthInfo=socket={0}/munge/socket
CredType=cred/munge
StateSaveLocation={0}/state
SlurmdSpoolDir={0}/spool_%n
SlurmctldPidFile={0}/slurmctld.pid
SlurmdPidFile={0}/slurmd_%n.pid
SlurmctldLogFile={0}/slurmctld.log
SlurmdLogFile={0}/slurmd_%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdTimeout=5
BatchStartTimeout=1
ReturnToService=2
PartitionName=all Nodes=ALL Default=YES State=UP
)",
                                   folder_.path().string(), hostName(), freePort(), user->pw_name);
    for (std::size_t node = 0; node < kNodes; ++node) {
        text += fmt::format("NodeName=n{} NodeHostname={} NodeAddr=127.0.0.1 Port={} CPUs=1\n",
                            node, hostName(), freePort());
    }
    writeFile(folder_ / "slurm.conf", text);
    writeFile(folder_ / "cgroup.conf", "CgroupAutomount=no\n");
}

void SlurmCluster::startController() {
    controller_.emplace(started({"slurmctld", "-D"}));
}

void SlurmCluster::killController() {
    controller_->end(SIGKILL);
    controller_.reset();
}

void SlurmCluster::startNode(std::size_t node) {
    nodes_[node].emplace(started({"slurmd", "-D", "-N", fmt::format("n{}", node)}));
}

std::vector<pid_t> SlurmCluster::jobProcesses(std::size_t node) const {
    // They have both of these in their environment.
    const std::string cluster = fmt::format("SLURM_CONF={}", (folder_ / "slurm.conf").string());
    const std::string name = fmt::format("SLURMD_NODENAME=n{}", node);
    std::vector<pid_t> processes;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string environment = contentsOf(entry.path() / "environ");
        if (contains(environment, cluster + '\0') && contains(environment, name + '\0')) {
            processes.push_back(std::atoi(entry.path().filename().c_str()));
        }
    }
    return processes;
}

void SlurmCluster::killNode(std::size_t node) {
    if (nodes_[node]) {
        nodes_[node]->end(SIGKILL);
        nodes_[node].reset();
    }
    for (const pid_t process : jobProcesses(node)) {
        // The parent of the first one is the node's slurmstepd, which would report their end.
        const pid_t parent = parentOf(std::to_string(process));
        if (contentsOf(fmt::format("/proc/{}/cmdline", parent)).starts_with("slurmstepd")) {
            kill(parent, SIGKILL);
        }
        kill(process, SIGKILL);
    }
}

void SlurmCluster::restartNode(std::size_t node) {
    nodes_[node]->end(SIGKILL);
    startNode(node);
}

void SlurmCluster::resumeNodeAndJobs(std::size_t node) const {
    runProgram("/bin/sh",
               {"-c", fmt::format("scontrol update NodeName=n{} State=RESUME; "
                                  "squeue --noheader --states=PENDING --format=%A | sort -u | "
                                  "xargs --no-run-if-empty scontrol release",
                                  node)});
}

std::string SlurmCluster::state() const {
    return runProgram("/usr/bin/sinfo", {"--noheader", "--Node", "--format=%N %t"}).output +
           runProgram("/usr/bin/squeue", {"--array"}).output;
}

}  // namespace vnpu::test
