// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "hw_model/kernels/support/processor_level.h"
#include "sim/base/version.h"
#include "sim/cli/commands.h"
#include "sim/cli/help/help_format.h"

namespace {

using vnpu::sim::ExitCode;

int exitWith(ExitCode code) {
    return static_cast<int>(code);
}

/// Refuses a value of VNPU_KERNELS that is not a backend of this processor, before any kernel runs.
void checkKernels() {
    try {
        vnpu::hw::kernels::processorLevel();
    } catch (const std::invalid_argument& error) {
        throw vnpu::sim::InputError(error.what());
    }
}

int runCommand(int argc, char** argv) {
    CLI::App app{"vnpu: a virtual NPU with an NNAPI HAL 1.3 driver", "vnpu"};
    app.formatter(std::make_shared<vnpu::sim::HelpFormat>());
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("vnpu ") + vnpu::sim::kVersion);
    app.footer(
            "The environment variable VNPU_KERNELS selects how the device's arithmetic is "
            "computed:\n"
            "eigen, avx2 or avx512 (default: the last one that the processor has). Results are "
            "the\n"
            "same for all.");
    vnpu::sim::Action action;
    vnpu::sim::addInferCommand(app, action);
    vnpu::sim::addRunCommand(app, action);
    vnpu::sim::addSweepCommand(app, action);
    vnpu::sim::addConformCommand(app, action);
    vnpu::sim::addCompareCommand(app, action);
    vnpu::sim::addCheckCommand(app, action);
    vnpu::sim::addInfoCommand(app, action);
    vnpu::sim::addModelsCommand(app, action);
    vnpu::sim::addRegsCommand(app, action);
    vnpu::sim::addDisasmCommand(app, action);
    vnpu::sim::addCompileCommand(app, action);
    vnpu::sim::addReplayCommand(app, action);
    vnpu::sim::addServeCommand(app, action);
    vnpu::sim::addClientCommand(app, action);
    vnpu::sim::addDeviceCommand(app, action);
    vnpu::sim::addStressCommand(app, action);
    vnpu::sim::addTopCommand(app, action);
    vnpu::sim::addValidateCommand(app, action);
    vnpu::sim::addCompletionCommand(app, action);
    vnpu::sim::addManualCommand(app, action);
    vnpu::sim::addWorkerCommands(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? 0 : exitWith(ExitCode::kBadInput);
    }
    checkKernels();
    return exitWith(action());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return runCommand(argc, argv);
    } catch (const vnpu::sim::InputError& error) {
        std::fprintf(stderr, "vnpu: %s\n", error.what());
        return exitWith(ExitCode::kBadInput);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vnpu: %s\n", error.what());
        return exitWith(ExitCode::kFailed);
    }
}

// libsystemc's own main refers to it; ours above is the program's entry.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
