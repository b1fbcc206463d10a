// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conform_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "sim/base/app_uid.h"
#include "sim/base/error.h"
#include "sim/client/driver_log.h"
#include "sim/client/remote_context.h"
#include "sim/config/load_config.h"
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

    /// `interrupter` is null where the platform cannot interrupt.
    void run(ClientContext& context, Interrupter* interrupter = nullptr) {
        interrupter_ = interrupter;
        const std::vector<std::string> files = findVectorFiles(order_.folder);
        for (std::uint64_t run = 0; run < order_.cases.repeats(); ++run) {
            for (std::size_t i = 0; i < files.size() && !order_.cases.isStopped(); ++i) {
                runFile(context, files, i);
            }
        }
    }

    const std::string& current() const { return current_; }
    const std::vector<ConformTally>& tallies() const { return tallies_; }

  private:
    void runFile(ClientContext& context, const std::vector<std::string>& files, std::size_t index) {
        const std::string& file = files[index];
        current_ = std::filesystem::path(file).stem().string();
        if (order_.onFile) {
            order_.onFile(index, files.size(), current_, sumOf(tallies_));
        }
        for (const Example& example : readVectorFile(file).examples) {
            runFlavors(context, example, file);
        }
    }

    void runFlavors(ClientContext& context, const Example& example, const std::string& file) {
        for (ConformTally& tally : tallies_) {
            const CaseName name{describe(tally.flavor), example.name, file};
            if (order_.cases.isStopped() || !order_.cases.selects(name)) {
                continue;
            }
            current_ = name.text();
            log_.clear();
            order_.cases.begin(name);
            const ExampleOutcome outcome = runExample(context, example, tally.flavor, interrupter_);
            order_.cases.end(count({file, example.name, ""}, outcome, log_, tally));
        }
    }

    const ConformOrder& order_;
    DriverLog& log_;
    Interrupter* interrupter_ = nullptr;
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
        client.run(context, &interrupter);
        interrupter.finish();
    });
    platform.run();
}

/// Runs the client on the platform that the order asks for.
void runClient(const ConformOrder& order, ConformClient& client, DriverLog& log) {
    if (!order.socket.empty()) {
        RemoteContext context(order.socket);
        client.run(context);
        return;
    }
    if (isInterrupted(order)) {
        runInterrupted(order, client, log);
        return;
    }
    Platform platform({.config = loadConfig(order.config), .driverObserver = &log});
    platform.addClient("conform", kFirstAppUid,
                       [&](ClientContext& context) { client.run(context); });
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
