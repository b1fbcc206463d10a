// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/ndk_arguments.h"

#include <utility>

#include "driver/result.h"

namespace vnpu::sim {

namespace {

using Done = tl::expected<void, NdkFailure>;

}  // namespace

tl::expected<std::unique_ptr<NdkArguments>, NdkFailure> NdkArguments::create(
        const NdkFunctions& ndk, const nn::Request& request, const NdkBuffers* buffers,
        bool usesPointers) {
    std::unique_ptr<NdkArguments> arguments(new NdkArguments(ndk, request));
    for (const nn::Request::MemoryPool& pool : request.pools) {
        VNPU_TRY(arguments->addPool(pool, buffers, usesPointers));
    }
    return arguments;
}

Done NdkArguments::addPool(const nn::Request::MemoryPool& pool, const NdkBuffers* buffers,
                           bool usesPointers) {
    Pool added{{nullptr, ndk_.memoryFree}};
    using Kind = nn::Request::MemoryPool::hidl_discriminator;
    if (pool.getDiscriminator() == Kind::token) {
        added.memory = buffers != nullptr ? buffers->find(pool.token()) : nullptr;
    } else if (usesPointers) {
        auto mapped = hal::MappedPool::create(pool.hidlMemory());
        if (!mapped) {
            return tl::unexpected(NdkFailure{"mapping of a pool", ANEURALNETWORKS_UNMAPPABLE});
        }
        added.mapped = std::move(*mapped);
    } else {
        VNPU_TRY_ASSIGN(added.owned, createNdkMemory(ndk_, pool.hidlMemory()));
        added.memory = added.owned.get();
    }
    pools_.push_back(std::move(added));
    return {};
}

Done NdkArguments::setAll(ANeuralNetworksExecution* execution) const {
    for (std::size_t i = 0; i < request_.inputs.size(); ++i) {
        VNPU_TRY(setInput(execution, static_cast<std::int32_t>(i)));
    }
    for (std::size_t i = 0; i < request_.outputs.size(); ++i) {
        VNPU_TRY(setOutput(execution, static_cast<std::int32_t>(i)));
    }
    return {};
}

Done NdkArguments::setInput(ANeuralNetworksExecution* execution, std::int32_t index) const {
    const nn10::RequestArgument& argument = request_.inputs[static_cast<std::size_t>(index)];
    if (argument.hasNoValue) {
        return succeed("Execution_setInput",
                       ndk_.executionSetInput(execution, index, nullptr, nullptr, 0));
    }
    const nn10::DataLocation& at = argument.location;
    const Pool& pool = pools_[at.poolIndex];
    if (pool.mapped) {
        return succeed("Execution_setInput",
                       ndk_.executionSetInput(execution, index, nullptr,
                                              pool.mapped->data() + at.offset, at.length));
    }
    return succeed("Execution_setInputFromMemory",
                   ndk_.executionSetInputFromMemory(execution, index, nullptr, pool.memory,
                                                    at.offset, at.length));
}

Done NdkArguments::setOutput(ANeuralNetworksExecution* execution, std::int32_t index) const {
    const nn10::DataLocation& at = request_.outputs[static_cast<std::size_t>(index)].location;
    const Pool& pool = pools_[at.poolIndex];
    if (pool.mapped) {
        return succeed("Execution_setOutput",
                       ndk_.executionSetOutput(execution, index, nullptr,
                                               pool.mapped->data() + at.offset, at.length));
    }
    return succeed("Execution_setOutputFromMemory",
                   ndk_.executionSetOutputFromMemory(execution, index, nullptr, pool.memory,
                                                     at.offset, at.length));
}

}  // namespace vnpu::sim
