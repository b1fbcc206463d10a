// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/stress_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sim/client/request_pool.h"

namespace vnpu::sim {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using CallStatus = nn::ErrorStatus;

namespace {

constexpr std::size_t kMostErrors = 20;  // chosen: as many as a person reads

nn::BufferRole role(std::uint32_t modelIndex, std::uint32_t ioIndex, float frequency) {
    return {.modelIndex = modelIndex, .ioIndex = ioIndex, .frequency = frequency};
}

/// Shared memory and its mapping.
struct Block {
    explicit Block(std::uint64_t sizeBytes) : pool(RequestPool::create(std::array{sizeBytes}, 1)) {}

    std::span<std::byte> bytes() const { return pool.argument(0); }
    void fill(const std::vector<std::byte>& from) const {
        std::copy(from.begin(), from.end(), bytes().begin());
    }
    bool holds(const std::vector<std::byte>& expected) const {
        return std::equal(expected.begin(), expected.end(), bytes().begin(), bytes().end());
    }

    RequestPool pool;
};

/// A request in which each input and the output has a pool of its own.
struct Arguments {
    explicit Arguments(const StressModel& kind, std::uint64_t seed) : output(kind.sizeBytes) {
        for (std::size_t i = 0; i < kind.network.inputs.size(); ++i) {
            values.push_back(stressInput(kind, seed + i));
            inputs.emplace_back(kind.sizeBytes);
            inputs.back().fill(values.back());
        }
        expected = kind.expected(values.front(), values.back());
    }

    /// A request with a buffer in place of input 0 or of the output, where a token is given.
    nn::Request request(std::uint32_t inputToken = 0, std::uint32_t outputToken = 0) const {
        nn::Request request;
        request.inputs.resize(inputs.size());
        for (std::uint32_t i = 0; i < inputs.size(); ++i) {
            if (i == 0 && inputToken != 0) {
                request.inputs[i].location.poolIndex = i;
                appendPool(request, inputToken);
            } else {
                request.inputs[i] = inputs[i].pool.requestArgument(0, i);
                appendPool(request, inputs[i].pool.memory());
            }
        }
        const auto last = static_cast<std::uint32_t>(inputs.size());
        request.outputs.resize(1);
        if (outputToken != 0) {
            request.outputs[0].location.poolIndex = last;
            appendPool(request, outputToken);
        } else {
            request.outputs[0] = output.pool.requestArgument(0, last);
            appendPool(request, output.pool.memory());
        }
        return request;
    }

    std::vector<Block> inputs;
    Block output;
    std::vector<std::vector<std::byte>> values;
    std::vector<std::byte> expected;
};

}  // namespace

void StressTally::add(const StressTally& other) {
    for (const auto& [call, statuses] : other.calls) {
        for (const auto& [status, count] : statuses) {
            calls[call][status] += count;
        }
    }
    for (const std::string& error : other.errors) {
        if (errors.size() < kMostErrors) {
            errors.push_back(error);
        }
    }
    errorCount += other.errorCount;
}

StressClient::StressClient(ClientContext& context, const std::vector<StressModel>& models,
                           StressObjects& shared, std::uint64_t seed)
    : context_(context), models_(models), shared_(shared), random_(seed) {}

void StressClient::note(const std::string& call, CallStatus status, Allowed allowed) {
    ++tally_.calls[call][nameOf(status)];
    if (std::find(allowed.begin(), allowed.end(), status) == allowed.end()) {
        fault(fmt::format("{}: {}", call, nameOf(status)));
    }
}

void StressClient::fault(const std::string& what) {
    ++tally_.errorCount;
    if (tally_.errors.size() < kMostErrors) {
        tally_.errors.push_back(fmt::format("{}: {}", context_.name(), what));
    }
}

void StressClient::step() {
    struct Choice {
        std::uint32_t weight;
        void (StressClient::*call)();
    };
    // chosen: mostly executions, and every other call often enough to overlap with all others
    static constexpr Choice kChoices[] = {
            {35, &StressClient::execute},       {10, &StressClient::executeThroughBuffer},
            {3, &StressClient::executeTooLate}, {6, &StressClient::prepare},
            {8, &StressClient::allocate},       {12, &StressClient::copy},
            {8, &StressClient::drop},           {3, &StressClient::ask},
            {4, &StressClient::badPreparation}, {5, &StressClient::badExecution},
            {3, &StressClient::badAllocation},  {3, &StressClient::badCopy},
    };
    std::uint32_t total = 0;
    for (const Choice& choice : kChoices) {
        total += choice.weight;
    }
    std::uint64_t drawn = below(total);
    for (const Choice& choice : kChoices) {
        if (drawn < choice.weight) {
            (this->*choice.call)();
            return;
        }
        drawn -= choice.weight;
    }
}

StressPrepared StressClient::pickModel() {
    StressPrepared prepared = anyObjects().models.get(anyPlace());
    if (prepared.model == nullptr) {
        prepare();
        prepared = own_.models.get(0);
    }
    return prepared;
}

StressBuffer StressClient::pickBuffer() {
    return anyObjects().buffers.get(anyPlace());
}

ExecutionPath StressClient::pickPath() {
    constexpr ExecutionPath kPaths[] = {ExecutionPath::kSync, ExecutionPath::kAsync,
                                        ExecutionPath::kFenced};
    return kPaths[below(std::size(kPaths))];
}

CallStatus StressClient::runWith(const StressPrepared& prepared, const nn::Request& request,
                                 const ExecutionOptions& options) {
    return sim::execute(context_, prepared.model, request, options).status;
}

void StressClient::prepare() {
    const StressModel& kind = models_[below(models_.size())];
    const auto priority = static_cast<nn::Priority>(below(3));
    const PrepareResult result = prepareModel(context_, kind.network.model, {.priority = priority});
    note("prepare", result.status, {CallStatus::NONE});
    const StressPrepared prepared{result.preparedModel, &kind};
    own_.models.exchange(0, prepared);
    anyObjects().models.exchange(anyPlace(), prepared);
}

void StressClient::execute() {
    const StressPrepared prepared = pickModel();
    if (prepared.model == nullptr) {
        return;
    }
    const Arguments arguments(*prepared.kind, random_.next());
    const CallStatus status = runWith(prepared, arguments.request(),
                                      {.path = pickPath(), .measuresTiming = below(2) == 0});
    note("execute", status, {CallStatus::NONE});
    if (status == CallStatus::NONE && !arguments.output.holds(arguments.expected)) {
        fault(fmt::format("execute: wrong output of {}", prepared.kind->network.name));
    }
}

void StressClient::executeTooLate() {
    const StressPrepared prepared = pickModel();
    if (prepared.model == nullptr) {
        return;
    }
    const Arguments arguments(*prepared.kind, random_.next());
    const CallStatus status =
            runWith(prepared, arguments.request(),
                    {.path = pickPath(), .deadline = std::chrono::nanoseconds(1)});
    note("execute too late", status,
         {CallStatus::MISSED_DEADLINE_PERSISTENT, CallStatus::MISSED_DEADLINE_TRANSIENT});
}

void StressClient::allocate() {
    const StressPrepared owner = pickModel();
    if (owner.model == nullptr) {
        return;
    }
    const AllocateResult made =
            allocateBuffer(context_, {owner.model}, {role(0, 0, 1.0F)}, {role(0, 0, 0.5F)});
    note("allocate", made.status, {CallStatus::NONE});
    StressObjects& objects = anyObjects();
    if (made.status == CallStatus::NONE) {
        objects.buffers.exchange(anyPlace(), {made.buffer, made.token, owner});
    }
}

void StressClient::executeThroughBuffer() {
    const StressBuffer buffer = pickBuffer();
    if (buffer.buffer == nullptr) {
        return;
    }
    const StressPrepared& owner = buffer.owner;
    const Arguments first(*owner.kind, random_.next());
    // Another thread may use a shared buffer, or write it before it is read here, so that an answer
    // may be an error and the contents are unknown.
    note("execute into buffer",
         runWith(owner, first.request(0, buffer.token), {.path = pickPath()}),
         {CallStatus::NONE, CallStatus::GENERAL_FAILURE});
    const Arguments second(*owner.kind, random_.next());
    note("execute from buffer",
         runWith(owner, second.request(buffer.token, 0), {.path = pickPath()}),
         {CallStatus::NONE, CallStatus::GENERAL_FAILURE});
}

void StressClient::copy() {
    const StressBuffer buffer = pickBuffer();
    if (buffer.buffer == nullptr) {
        return;
    }
    const Block block(buffer.owner.kind->sizeBytes);
    const std::vector<std::byte> values = stressInput(*buffer.owner.kind, random_.next());
    block.fill(values);
    const Allowed allowed = {CallStatus::NONE, CallStatus::GENERAL_FAILURE};
    note("copyFrom", buffer.buffer->copyFrom(block.pool.memory(), {}), allowed);
    note("copyTo", buffer.buffer->copyTo(block.pool.memory()), allowed);
}

void StressClient::drop() {
    StressObjects& objects = anyObjects();
    if (below(2) == 0) {
        objects.models.exchange(anyPlace(), {});
    } else {
        objects.buffers.exchange(anyPlace(), {});
    }
    ++tally_.calls["drop"]["NONE"];
}

void StressClient::ask() {
    const StressModel& kind = models_[below(models_.size())];
    CallStatus status = CallStatus::GENERAL_FAILURE;
    bool isSupported = false;
    const auto called = context_.device()->getSupportedOperations_1_3(
            kind.network.model, [&](CallStatus told, const hidl_vec<bool>& supported) {
                status = told;
                isSupported = supported.size() == 1 && supported[0];
            });
    note("getSupportedOperations", called.isOk() ? status : CallStatus::DEVICE_UNAVAILABLE,
         {CallStatus::NONE});
    if (!isSupported) {
        fault(fmt::format("{} is not supported", kind.network.name));
    }
    const nn10::DeviceStatus state = context_.device()->getStatus();
    if (state != nn10::DeviceStatus::AVAILABLE && state != nn10::DeviceStatus::BUSY) {
        fault(fmt::format("the device is {}", nn10::toString(state)));
    }
}

void StressClient::badPreparation() {
    static constexpr void (*kMistakes[])(nn::Model&, nn::Priority&) = {
            [](auto& model, auto&) { model.main.operations[0].inputs[0] = 1000; },
            [](auto& model, auto&) {
                model.main.operands[0].dimensions = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
            },
            [](auto& model, auto&) { model.main.outputIndexes = {}; },
            [](auto& model, auto&) { model.main.operands[0].numberOfConsumers += 1; },
            [](auto&, auto& priority) { priority = static_cast<nn::Priority>(3); }};
    nn::Model model = models_[below(models_.size())].network.model;
    auto priority = nn::Priority::MEDIUM;
    kMistakes[below(std::size(kMistakes))](model, priority);
    note("bad prepare", prepareModel(context_, model, {.priority = priority}).status,
         {CallStatus::INVALID_ARGUMENT});
}

void StressClient::badExecution() {
    static constexpr void (*kMistakes[])(nn::Request&) = {
            [](auto& request) { request.inputs[0].location.poolIndex = 77; },
            [](auto& request) { request.outputs[0].location.offset = 0xFFFFFFF0; },
            [](auto& request) { request.inputs.resize(request.inputs.size() + 1); },
            [](auto& request) { request.outputs.resize(0); },
            [](auto& request) {
                request.inputs[0].dimensions = {7, 7, 7, 7, 7};
            },
            [](auto& request) { request.pools[0].token(0xFFFFFF00); }};
    const StressPrepared prepared = pickModel();
    if (prepared.model == nullptr) {
        return;
    }
    const Arguments arguments(*prepared.kind, random_.next());
    nn::Request request = arguments.request();
    kMistakes[below(std::size(kMistakes))](request);
    note("bad execute", runWith(prepared, request, {.path = pickPath()}),
         {CallStatus::INVALID_ARGUMENT});
}

void StressClient::badAllocation() {
    using Models = hidl_vec<sp<nn::IPreparedModel>>;
    using Roles = hidl_vec<nn::BufferRole>;
    static constexpr void (*kMistakes[])(Models&, Roles&) = {
            [](auto&, auto& inputs) { inputs = {}; },
            [](auto&, auto& inputs) { inputs[0].frequency = -1.0F; },
            [](auto&, auto& inputs) { inputs[0].ioIndex = 9; },
            [](auto& models, auto&) { models = {nullptr}; }};
    const StressPrepared owner = pickModel();
    Models models = {owner.model};
    Roles inputs = {role(0, 0, 1.0F)};
    kMistakes[below(std::size(kMistakes))](models, inputs);
    note("bad allocate", allocateBuffer(context_, models, inputs, {}).status,
         {CallStatus::INVALID_ARGUMENT});
}

void StressClient::badCopy() {
    const StressBuffer buffer = pickBuffer();
    if (buffer.buffer == nullptr) {
        return;
    }
    const Block block(buffer.owner.kind->sizeBytes / 2);
    const std::uint64_t mistake = below(3);
    const hidl_memory memory = mistake == 2 ? hidl_memory() : block.pool.memory();
    const hidl_vec<std::uint32_t> dimensions =
            mistake == 1 ? hidl_vec<std::uint32_t>{1, 2, 3} : hidl_vec<std::uint32_t>();
    const CallStatus status = buffer.buffer->copyFrom(memory, dimensions);
    if (mistake == 2) {
        note("bad copy", status, {CallStatus::INVALID_ARGUMENT, CallStatus::GENERAL_FAILURE});
    } else {
        note("bad copy", status, {CallStatus::INVALID_ARGUMENT});
    }
}

}  // namespace vnpu::sim
