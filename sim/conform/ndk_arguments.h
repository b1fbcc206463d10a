// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "sim/conform/ndk_buffers.h"
#include "sim/ndk_client/ndk_memory.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

/// The arguments of a request for an execution of the C interface, which refers to them until it
/// has been computed.
class NdkArguments {
  public:
    /// Makes a memory of each pool, or maps the pools if arguments are passed by pointer. `buffers`
    /// knows the tokens and may be null if the request has none. All must exist as long.
    static tl::expected<std::unique_ptr<NdkArguments>, NdkFailure> create(
            const NdkFunctions& ndk, const nn::Request& request, const NdkBuffers* buffers,
            bool usesPointers);

    /// Gives all inputs and outputs to an execution.
    tl::expected<void, NdkFailure> setAll(ANeuralNetworksExecution* execution) const;

  private:
    /// A pool: one of these is there, but `memory` may refer to a buffer instead of `owned`.
    struct Pool {
        NdkHandle<ANeuralNetworksMemory> owned;
        const ANeuralNetworksMemory* memory = nullptr;
        std::optional<hal::MappedPool> mapped{};
    };

    NdkArguments(const NdkFunctions& ndk, const nn::Request& request)
        : ndk_(ndk), request_(request) {}
    tl::expected<void, NdkFailure> addPool(const nn::Request::MemoryPool& pool,
                                           const NdkBuffers* buffers, bool usesPointers);
    tl::expected<void, NdkFailure> setInput(ANeuralNetworksExecution* execution,
                                            std::int32_t index) const;
    tl::expected<void, NdkFailure> setOutput(ANeuralNetworksExecution* execution,
                                             std::int32_t index) const;

    const NdkFunctions& ndk_;
    const nn::Request& request_;
    std::vector<Pool> pools_;
};

}  // namespace vnpu::sim
