// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conform_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "sim/base/app_uid.h"
#include "sim/base/error.h"
#include "sim/client/driver_log.h"
#include "sim/client/remote_context.h"
#include "sim/config/load_config.h"
#include "sim/conform/ndk_session.h"
#include "sim/interrupt/interrupter.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kInterruptionSeed = 1;

/// Adds an outcome to the tally; returns it for the session.
CaseOutcome count(ConformNote note, const ExampleOutcome& outcome, const DriverLog& log,
                  ConformTally& tally) {
    note.detail = outcome.detail;
    CaseOutcome result{.result = CaseResult::kSkipped, .message = outcome.detail};
    tally.interruptions += outcome.interruptions;
    if (tally.flavor.interruption != Interruption::kNone && outcome.interruptions == 0 &&
        outcome.verdict == VectorVerdict::kPassed) {
        tally.undisturbed.push_back(note);
    }
    switch (outcome.verdict) {
        case VectorVerdict::kPassed:
            ++tally.passed;
            result.result = CaseResult::kPassed;
            break;
        case VectorVerdict::kFailed:
            if (!log.lines().empty()) {
                note.detail += fmt::format(" ({})", log.lastLine());
            }
            result.result = CaseResult::kFailed;
            result.message = note.detail;
            tally.failed.push_back(std::move(note));
            break;
        case VectorVerdict::kUnsupported:
            tally.unsupported.push_back(std::move(note));
            ++tally.unsupportedOperations[outcome.unsupportedOperation];
            break;
        case VectorVerdict::kOmitted:
            ++tally.omitted;
            break;
    }
    return result;
}

/// The body of the only client.
class ConformClient {
  public:
    ConformClient(const ConformOrder& order, DriverLog& log) : order_(order), log_(log) {
        for (const Flavor& flavor : order.flavors) {
            tallies_.push_back({.flavor = flavor});
        }
    }

    /// `disturbance` is null where the platform cannot interrupt.
    void run(const OpenSession& open, const Disturbance* disturbance = nullptr) {
        const std::vector<std::string> files = findVectorFiles(order_.folder);
        for (std::uint64_t run = 0; run < order_.cases.repeats(); ++run) {
            for (std::size_t i = 0; i < files.size() && !order_.cases.isStopped(); ++i) {
                runFile(open, files, i, disturbance);
            }
        }
    }

    const std::string& current() const { return current_; }
    const std::vector<ConformTally>& tallies() const { return tallies_; }

  private:
    void runFile(const OpenSession& open, const std::vector<std::string>& files, std::size_t index,
                 const Disturbance* disturbance) {
        const std::string& file = files[index];
        current_ = std::filesystem::path(file).stem().string();
        if (order_.onFile) {
            order_.onFile(index, files.size(), current_, sumOf(tallies_));
        }
        for (const Example& example : readVectorFile(file).examples) {
            runFlavors(open, example, file, disturbance);
        }
    }

    void runFlavors(const OpenSession& open, const Example& example, const std::string& file,
                    const Disturbance* disturbance) {
        for (ConformTally& tally : tallies_) {
            const CaseName name{describe(tally.flavor), example.name, file};
            if (order_.cases.isStopped() || !order_.cases.selects(name)) {
                continue;
            }
            current_ = name.text();
            log_.clear();
            order_.cases.begin(name);
            const ExampleOutcome outcome = runExample(open, example, tally.flavor, disturbance);
            order_.cases.end(count({file, example.name, ""}, outcome, log_, tally));
        }
    }

    const ConformOrder& order_;
    DriverLog& log_;
    std::string current_;
    std::vector<ConformTally> tallies_;
};

bool isInterrupted(const ConformOrder& order) {
    return std::any_of(order.flavors.begin(), order.flavors.end(), [](const Flavor& flavor) {
        return flavor.interruption != Interruption::kNone;
    });
}

void runInterrupted(const ConformOrder& order, ConformClient& client, DriverLog& log) {
    Platform platform({.config = interruptible(loadConfig(order.config)),
                       .driverObserver = &log,
                       .scheduling = interruptibleScheduling()});
    Interrupter interrupter(platform, kInterruptionSeed);
    platform.addClient("conform", kFirstAppUid, [&](ClientContext& context) {
        const Disturbance disturbance{context, interrupter};
        client.run(halSessions(context), &disturbance);
        interrupter.finish();
    });
    platform.run();
}

void runThroughNdk(const ConformOrder& order, ConformClient& client) {
    setenv("VNPU_CONFIG", order.config.c_str(), 1);
    if (order.socket.empty()) {
        unsetenv("VNPU_SOCKET");
    } else {
        setenv("VNPU_SOCKET", order.socket.c_str(), 1);
    }
    auto device = findNdkDevice(order.ndk->library, order.ndk->device);
    if (!device) {
        throw InputError(device.error());
    }
    client.run(ndkSessions(std::move(*device)));
}

/// Runs the client on the platform that the order asks for.
void runClient(const ConformOrder& order, ConformClient& client, DriverLog& log) {
    if (order.ndk) {
        runThroughNdk(order, client);
        return;
    }
    if (!order.socket.empty()) {
        RemoteContext context(order.socket);
        client.run(halSessions(context));
        return;
    }
    if (isInterrupted(order)) {
        runInterrupted(order, client, log);
        return;
    }
    Platform platform({.config = loadConfig(order.config), .driverObserver = &log});
    platform.addClient("conform", kFirstAppUid,
                       [&](ClientContext& context) { client.run(halSessions(context)); });
    platform.run();
}

}  // namespace

std::string ConformSum::line() const {
    return fmt::format("{} passed, {} failed, {} unsupported", passed, failed, unsupported);
}

ConformSum sumOf(const std::vector<ConformTally>& tallies) {
    ConformSum sum;
    for (const ConformTally& tally : tallies) {
        sum.passed += tally.passed;
        sum.failed += tally.failed.size();
        sum.unsupported += tally.unsupported.size();
        sum.omitted += tally.omitted;
    }
    return sum;
}

std::vector<ConformTally> runConformance(const ConformOrder& order) {
    DriverLog log;
    ConformClient client(order, log);
    try {
        runClient(order, client, log);
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        if (client.current().empty()) {
            throw;
        }
        throw std::runtime_error(fmt::format("at {}, after {}: {}", client.current(),
                                             sumOf(client.tallies()).line(), error.what()));
    }
    return client.tallies();
}

}  // namespace vnpu::sim
