// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/signalfd.h>

#include <csignal>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/child_program.h"
#include "sim/cli/command_options.h"
#include "sim/platform/pace.h"
#include "sim/qemu/qemu_monitor.h"
#include "sim/qemu/qemu_process.h"
#include "sim/qemu/qemu_session.h"
#include "sim/qemu/socket_pair.h"

namespace vnpu::sim {

namespace {

struct DeviceOptions {
    bool isForQemu = false;
    DeviceCard::Options card;
    std::string pace = "max";
    QemuMachine machine;
    std::string monitor;  // of a QEMU to join; empty: start one
};

/// A descriptor that becomes readable at the signals that end the program.
android::base::unique_fd endSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return android::base::unique_fd(signalfd(-1, &signals, SFD_CLOEXEC));
}

ExitCode joinQemu(const DeviceOptions& options) {
    QemuMonitor monitor(options.monitor);
    QemuSession::Sockets sockets = monitor.takeSockets();
    sockets.stop = endSignals();
    QemuSession session(options.card, parsePace(options.pace), std::move(sockets));
    std::future<void> plugged = std::async(std::launch::async, [&] { monitor.plug(); });
    session.run();
    plugged.get();
    return ExitCode::kDone;
}

ExitCode startQemu(const DeviceOptions& options) {
    SocketPair proxy = SocketPair::create();
    SocketPair qtest = SocketPair::create();
    QemuSession session(
            options.card, parsePace(options.pace),
            {.proxy = std::move(proxy.ours), .qtest = std::move(qtest.ours), .stop = endSignals()});
    ChildProgram qemu(qemuWords(options.machine, proxy.theirs.get(), qtest.theirs.get()),
                      {.output = STDOUT_FILENO});
    proxy.theirs.reset();
    qtest.theirs.reset();
    const bool isStopped = session.run() == QemuSession::End::kStopped;
    return static_cast<ExitCode>(isStopped ? qemu.end(SIGTERM) : qemu.wait());
}

ExitCode runDevice(const DeviceOptions& options) {
    if (!options.isForQemu) {
        throw InputError("where the device is to be is missing, expected --qemu");
    }
    DeviceOptions all = options;
    all.card.log = [](const std::string& line) { fmt::print(stderr, "vnpu: {}\n", line); };
    return all.monitor.empty() ? startQemu(all) : joinQemu(all);
}

}  // namespace

void addDeviceCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<DeviceOptions>();
    options->card.config = "edge";
    CLI::App& command = addCommand(app, action, "device",
                                   "Be a device for the driver of another operating system",
                                   options, runDevice);
    command.add_flag("--qemu", options->isForQemu,
                     "A PCI card of a virtual machine, which is started with its console at this "
                     "terminal; the exit code is QEMU's");
    addConfig(command, options->card.config);
    command.add_option("--device", options->card.settings,
                       "[power], [dram] and [[fault]] of the device: a TOML file with these tables "
                       "of a scenario; the times of faults count from power-on")
            ->type_name("FILE");
    command.add_option("--pace", options->pace, "Device time: max, realtime, or a factor")
            ->capture_default_str();
    command.add_flag("--lint", options->card.isLinting, "Report mistakes of the guest's driver");
    command.add_option("--record", options->card.record,
                       "File for all register accesses, DMA and interrupts (vnpu replay)")
            ->type_name("FILE");
    command.add_option("--join", options->monitor,
                       "QMP socket of a running QEMU, into which the card is plugged")
            ->type_name("SOCKET");
    QemuMachine& machine = options->machine;
    command.add_option("--kernel", machine.kernel, "Linux kernel of the guest")->type_name("FILE");
    command.add_option("--initrd", machine.initrd, "Its initramfs")->type_name("FILE");
    command.add_option("--append", machine.append, "Its command line")->capture_default_str();
    command.add_option("--memory", machine.memory, "Memory of the guest")->capture_default_str();
    addNumber(command, "--processors", machine.processors, "Processors of the guest", 1, 255);
    command.add_option("--cpu", machine.processor, "QEMU's model of the processor")
            ->capture_default_str();
    command.add_option("--qemu-program", machine.program, "QEMU")->capture_default_str();
    command.add_option("arguments", machine.more, "After --: further arguments of QEMU");
}

}  // namespace vnpu::sim
