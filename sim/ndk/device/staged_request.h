// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <vector>

#include "sim/ndk/device/call.h"
#include "sim/ndk/device/staging.h"

namespace vnpu::sim::ndk {

/// A call in the form of the HAL: bytes at pointers are copied into and out of a shared memory,
/// memories are used in place. The call must outlive it. One thread.
class StagedRequest {
  public:
    using Request = nn::V1_3::Request;

    static Result<StagedRequest> create(const Call& call, StagingPool& staging);

    const Request& request() const { return request_; }
    /// By pool of the request.
    const std::vector<SharedMemory>& memories() const { return memories_; }

    /// Takes the outputs of a successful execution of a main graph to their places: as many bytes
    /// as the shape of the outcome has. Corrects the outcome for outputs that were given no room at
    /// all.
    void takeOutputs(const nn::V1_3::Subgraph& graph, CallOutcome& outcome) const;

  private:
    explicit StagedRequest(const Call& call) : call_(&call) {}

    /// Whether the bytes pass through the shared memory.
    static bool isStaged(const Argument& argument);
    void place(const std::vector<Argument>& arguments,
               android::hardware::hidl_vec<nn::V1_0::RequestArgument>& placed);
    std::uint32_t poolOf(const SharedMemory& memory);
    void fillPools();

    const Call* call_;
    Request request_;
    std::vector<SharedMemory> memories_;
    std::uint64_t stagedBytes_ = 0;
};

}  // namespace vnpu::sim::ndk
