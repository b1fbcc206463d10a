// SPDX-License-Identifier: Apache-2.0
#include "sim/client/state_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"

namespace vnpu::sim {

namespace {

constexpr float kEveryFrame = 1.0F;

void checkSuccess(nn::ErrorStatus status, const char* what) {
    if (status != nn::ErrorStatus::NONE) {
        throw std::runtime_error(fmt::format("{} of a state tensor: {}", what, nameOf(status)));
    }
}

/// The byte of a real zero, for 8-bit types and floats.
std::byte zeroOf(const TensorDescription& tensor) {
    return isQuant8(tensor.type) ? static_cast<std::byte>(tensor.zeroPoint) : std::byte{0};
}

void checkPair(const Network& network, const NetworkState& pair) {
    if (pair.output >= network.outputs.size() || pair.input >= network.inputs.size()) {
        throw InputError(fmt::format(
                "state [{}, {}] names an output or input that {} does not have, expected an output "
                "below {} and an input below {}",
                pair.output, pair.input, network.name, network.outputs.size(),
                network.inputs.size()));
    }
    const TensorDescription& from = network.outputs[pair.output];
    const TensorDescription& to = network.inputs[pair.input];
    if (from.type != to.type || from.dimensions != to.dimensions || from.scale != to.scale ||
        from.zeroPoint != to.zeroPoint || from.sizeBytes == 0) {
        throw InputError(fmt::format(
                "state [{}, {}]: output is {} {} of scale {} and zero point {}, input is {} {} of "
                "scale {} and zero point {}, expected the same with all dimensions known",
                pair.output, pair.input, nameOf(from.type), describeDimensions(from.dimensions),
                from.scale, from.zeroPoint, nameOf(to.type), describeDimensions(to.dimensions),
                to.scale, to.zeroPoint));
    }
}

}  // namespace

void checkNetworkStates(const Network& network, std::span<const NetworkState> pairs) {
    std::set<std::uint32_t> outputs, inputs;
    for (const NetworkState& pair : pairs) {
        checkPair(network, pair);
        if (!outputs.insert(pair.output).second || !inputs.insert(pair.input).second) {
            throw InputError(
                    fmt::format("state [{}, {}] names a tensor that another pair names, "
                                "expected each once",
                                pair.output, pair.input));
        }
    }
}

StateTensors::StateTensors(ClientContext& context,
                           const android::sp<nn::IPreparedModel>& preparedModel,
                           const Network& network, std::span<const NetworkState> pairs) {
    checkNetworkStates(network, pairs);
    for (const NetworkState& pair : pairs) {
        const TensorDescription& tensor = network.inputs[pair.input];
        State state{.pair = pair, .sizeBytes = tensor.sizeBytes, .buffers = {}};
        const nn::BufferRole input{
                .modelIndex = 0, .ioIndex = pair.input, .frequency = kEveryFrame};
        const nn::BufferRole output{
                .modelIndex = 0, .ioIndex = pair.output, .frequency = kEveryFrame};
        for (AllocateResult& made : state.buffers) {
            made = allocateBuffer(context, {preparedModel}, {input}, {output});
            checkSuccess(made.status, "allocation");
        }
        const RequestPool memory = RequestPool::createSingle(state.sizeBytes);
        if (pair.initial.empty()) {
            std::fill_n(memory.argument(0).begin(), state.sizeBytes, zeroOf(tensor));
        } else {
            std::copy(pair.initial.begin(), pair.initial.end(), memory.argument(0).begin());
        }
        checkSuccess(state.buffers[turn_].buffer->copyFrom(memory.memory(), {}), "first value");
        states_.push_back(std::move(state));
    }
}

void StateTensors::addTo(nn::Request& request, std::size_t turn) const {
    for (const State& state : states_) {
        request.inputs[state.pair.input].location = {
                .poolIndex = appendPool(request, state.buffers[turn].token),
                .offset = 0,
                .length = 0};
        request.outputs[state.pair.output].location = {
                .poolIndex = appendPool(request, state.buffers[1 - turn].token),
                .offset = 0,
                .length = 0};
    }
}

}  // namespace vnpu::sim
