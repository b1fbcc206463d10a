// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/fault_clients.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "sim/client/device_calls.h"
#include "sim/scenario/input_data.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kMostWrong = 20;       // chosen: as many as a person reads
constexpr std::uint64_t kNewModelEvery = 6;  // chosen: for traffic in the mailbox

using CallStatus = android::hardware::neuralnetworks::V1_3::ErrorStatus;
using android::hardware::neuralnetworks::V1_3::Priority;

}  // namespace

void FaultClient::fault(ClientContext& context, const std::string& what) {
    if (work_.wrong.size() < kMostWrong) {
        work_.wrong.push_back(fmt::format("{}: {}", context.name(), what));
    }
}

void FaultClient::prepare(ClientContext& context, std::size_t network) {
    constexpr Priority kPriorities[] = {Priority::LOW, Priority::MEDIUM, Priority::HIGH};
    models_[network].runner.reset();
    models_[network].runner = ModelRunner::prepare(context, work_.networks[network],
                                                   kPriorities[below(std::size(kPriorities))]);
}

bool FaultClient::execute(ClientContext& context, std::size_t network, std::uint32_t input,
                          std::uint64_t& hash) {
    constexpr ExecutionPath kPaths[] = {ExecutionPath::kSync, ExecutionPath::kAsync,
                                        ExecutionPath::kFenced};
    ModelRunner& runner = *models_[network].runner;
    const Network& about = work_.networks[network];
    Random data(input + 1);
    fillInputs(about, runner, data);
    const CallStatus status = runner.execute(kPaths[below(std::size(kPaths))]).status;
    ++work_.executions;
    if (status != CallStatus::NONE) {
        ++work_.failures;
        if (status != CallStatus::GENERAL_FAILURE) {
            fault(context, fmt::format("{} ends with {}", about.name, nameOf(status)));
        }
        return false;
    }
    hash = hashOutputs(about, runner);
    return true;
}

void FaultClient::check(ClientContext& context, std::size_t network, std::uint32_t input) {
    std::uint64_t hash = 0;
    if (execute(context, network, input, hash) && hash != models_[network].hashes[input]) {
        fault(context, fmt::format("wrong output of {}", work_.networks[network].name));
    }
}

void FaultClient::run(ClientContext& context) {
    models_.resize(work_.networks.size());
    for (std::size_t network = 0; network < models_.size(); ++network) {
        prepare(context, network);
        models_[network].hashes.resize(kInputs);
        for (std::uint32_t input = 0; input < kInputs; ++input) {
            if (!execute(context, network, input, models_[network].hashes[input])) {
                fault(context, "an undisturbed execution failed");
            }
        }
    }
    ++work_.ready;
    while (!work_.isOver) {
        const std::size_t network = below(models_.size());
        if (below(kNewModelEvery) == 0) {
            prepare(context, network);
        }
        check(context, network, static_cast<std::uint32_t>(below(kInputs)));
    }
    for (std::size_t network = 0; network < models_.size(); ++network) {
        const std::uint64_t failures = work_.failures;
        check(context, network, 0);
        if (work_.failures == failures) {
            ++work_.afterwards;
        }
    }
    models_.clear();
}

}  // namespace vnpu::sim
