// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/cli/choice_option.h"
#include "sim/cli/command_options.h"
#include "sim/cli/conform_onnx.h"
#include "sim/cli/conform_report.h"
#include "sim/conform/conform_run.h"
#include "sim/ndk_client/ndk_library.h"
#include "sim/results/store_options.h"
#include "sim/service/service_process.h"

namespace vnpu::sim {

namespace {

struct ConformOptions {
    std::string folder;
    CaseOptions cases;
    StoreOptions store;
    std::string config = "edge";
    std::string hal = "1.3";
    Flavor flavor;
    bool wantsAllFlavors = false;
    const CLI::Option* service = nullptr;  // --service; socket is empty if it has no value
    std::string socket;
    ConformReportOptions report;
    bool isOnnx = false;
    bool isNdk = false;
    NdkTarget ndk;
};

/// The flavor in every HAL version that supports it.
std::vector<Flavor> inAllVersions(Flavor flavor) {
    std::vector<Flavor> flavors;
    for (const driver::HalVersion version : kHalVersions) {
        flavor.hal = version;
        if (contradictionIn(flavor).empty()) {
            flavors.push_back(flavor);
        }
    }
    return flavors;
}

ClientInterface interfaceOf(const ConformOptions& options) {
    return options.isNdk ? ClientInterface::kNdk : ClientInterface::kHal;
}

/// The library to test: none for the HAL.
std::optional<NdkTarget> ndkTargetOf(const ConformOptions& options) {
    if (!options.isNdk) {
        return std::nullopt;
    }
    NdkTarget target = options.ndk;
    target.library = target.library.empty() ? defaultNdkLibrary() : target.library;
    return target;
}

std::vector<Flavor> flavorsOf(const ConformOptions& options) {
    if (options.wantsAllFlavors) {
        return allFlavors(interfaceOf(options));
    }
    Flavor flavor = options.flavor;
    flavor.interface = interfaceOf(options);
    if (options.hal == "all") {
        flavor.hal = driver::HalVersion::k13;
    } else {
        flavor.hal = static_cast<driver::HalVersion>(options.hal.back() - '0');
    }
    if (const std::string problem = contradictionIn(flavor); !problem.empty()) {
        throw InputError(fmt::format("{}: {}", describe(flavor), problem));
    }
    return options.hal == "all" ? inAllVersions(flavor) : std::vector{flavor};
}

ExitCode conform(const ConformOptions& options) {
    if (options.isOnnx) {
        return conformOnnx({options.folder, options.config, options.cases, options.report.isVerbose,
                            options.report.isJson, options.report.isQuiet, options.store});
    }
    std::optional<ResultStore> store = openStore(options.store);
    std::unique_ptr<ServiceProcess> service;
    std::string socket = options.socket;
    if (options.service->count() > 0 && socket.empty()) {
        service = std::make_unique<ServiceProcess>(
                "/proc/self/exe", std::vector<std::string>{"--config", options.config});
        socket = service->socketPath();
    }
    CaseSession session("conform", options.cases);
    return runSession(session, options.report.isJson, [&] {
        const auto tallies = [&] {
            ProgressLine line(options.report.isQuiet);
            return runConformance(
                    {.folder = options.folder,
                     .cases = session,
                     .config = options.config,
                     .flavors = flavorsOf(options),
                     .socket = socket,
                     .ndk = ndkTargetOf(options),
                     .onFile = [&line](std::size_t file, std::size_t files, const std::string& name,
                                       const ConformSum& sum) {
                         line.show([&] {
                             return fmt::format("{}/{} {}: {}", file + 1, files, name, sum.line());
                         });
                     }});
        }();
        printConformance(tallies, options.report);
        if (store) {
            storeCases(*store, options.store.label, "conform", options.folder, session.cases());
        }
    });
}

void addFlavorOptions(CLI::App& command, ConformOptions& options) {
    Flavor& flavor = options.flavor;
    addChoice(command, "--path", flavor.path,
              {std::begin(kExecutionPaths), std::end(kExecutionPaths)},
              "How executions reach the driver");
    command.add_option("--hal", options.hal,
                       "HAL version whose methods and types are used; models that need a later "
                       "version are left out")
            ->check(CLI::IsMember({"1.0", "1.1", "1.2", "1.3", "all"}).description(""))
            ->type_name("1.0|1.1|1.2|1.3|all")
            ->capture_default_str();
    addChoice(command, "--pools", flavor.pools,
              {PoolKind::kAshmem, PoolKind::kMmapFd, PoolKind::kHardwareBufferBlob},
              "Kind of memory for constants, inputs and outputs");
    addChoice(
            command, "--memory", flavor.memory,
            {MemoryKind::kPools, MemoryKind::kDomains, MemoryKind::kPointers},
            "Where inputs and outputs are: in pools, in buffers of the device, or behind pointers "
            "of the C interface");
    addChoice(command, "--outputs", flavor.outputs,
              {OutputKind::kExact, OutputKind::kDynamic, OutputKind::kTight, OutputKind::kShort},
              "Outputs have known shapes; have shapes that the driver reports; end exactly with "
              "their pool; or are one byte too small at first");
    command.add_flag("--cache", flavor.isCached, "Execute models from the compilation cache");
    command.add_flag("--timing", flavor.isMeasured, "Ask for execution times and check them");
    command.add_flag("--coupled", flavor.isCoupled,
                     "Run uint8 models of one operation and their int8 twins, which must end with "
                     "the same status and values");
    addChoice(command, "--interrupt", flavor.interruption,
              {std::begin(kInterruptions), std::end(kInterruptions)},
              "Execute a second time with interruptions: save and restore at every checkpoint, "
              "save and restore between operations, or stop and restart at random times; the "
              "outputs must be the same bytes");
    CLI::Option* all = command.add_flag(
            "--all-flavors", options.wantsAllFlavors,
            "Run every path in every version, plainly and with each of the options above alone, "
            "and print a table");
    for (const char* one : {"--path", "--hal", "--pools", "--memory", "--outputs", "--cache",
                            "--timing", "--coupled", "--interrupt"}) {
        all->excludes(command.get_option(one));
    }
}

void addNdkOptions(CLI::App& command, ConformOptions& options) {
    CLI::Option* const ndk =
            command.add_flag("--ndk", options.isNdk,
                             "Use NNAPI's C interface instead of the HAL: libneuralnetworks.so");
    ndk->excludes("--hal")->excludes("--interrupt")->excludes("--onnx");
    command.add_option(
                   "--library", options.ndk.library,
                   "Library with the C interface; default: the one beside this program, or where "
                   "the loader finds it")
            ->type_name("FILE")
            ->needs(ndk);
    command.add_option("--device", options.ndk.device,
                       "Name of the library's device; default: the first one")
            ->type_name("NAME")
            ->needs(ndk);
}

}  // namespace

void addConformCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ConformOptions>();
    CLI::App& command =
            addCommand(app, action, "conform", "Run NNAPI example models and compare their outputs",
                       options, conform);
    command.add_option("folder", options->folder, "Folder with .cbor vectors, or one file")
            ->type_name("DIR")
            ->required();
    command.add_flag(
            "--onnx", options->isOnnx,
            "The folder has cases of ONNX's backend tests: model.onnx and test_data_set_0");
    addStoreOptions(command, options->store);
    addCaseOptions(command, options->cases);
    addConfig(command, options->config);
    addFlavorOptions(command, *options);
    addNdkOptions(command, *options);
    options->service =
            command.add_option("--service", options->socket,
                               "Use the device of a service: the one at SOCKET, or one that is "
                               "started in a process of its own")
                    ->type_name("SOCKET")
                    ->expected(0, 1)
                    ->excludes(command.get_option("--interrupt"));
    command.add_flag("-v,--verbose", options->report.isVerbose,
                     "List unsupported models with the reason, and models that were not "
                     "interrupted");
    addQuiet(command, options->report.isQuiet);
    addJson(command, options->report.isJson);
}

}  // namespace vnpu::sim
