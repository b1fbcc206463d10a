// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/ndk_buffers.h"

#include <fmt/format.h>

#include <utility>

#include "driver/result.h"
#include "sim/ndk_client/ndk_memory.h"

namespace vnpu::sim {

namespace {

using Memory = NdkHandle<ANeuralNetworksMemory>;

constexpr float kFrequency = 1.0F;

tl::expected<Memory, NdkFailure> describeAndCreate(const NdkFunctions& ndk,
                                                   const ANeuralNetworksCompilation* compilation,
                                                   ArgumentRole role, std::uint32_t index) {
    ANeuralNetworksMemoryDesc* desc = nullptr;
    VNPU_TRY(succeed("MemoryDesc_create", ndk.memoryDescCreate(&desc)));
    const NdkHandle<ANeuralNetworksMemoryDesc> owned(desc, ndk.memoryDescFree);
    if (role == ArgumentRole::kInput) {
        VNPU_TRY(succeed("MemoryDesc_addInputRole",
                         ndk.memoryDescAddInputRole(desc, compilation, index, kFrequency)));
    } else {
        VNPU_TRY(succeed("MemoryDesc_addOutputRole",
                         ndk.memoryDescAddOutputRole(desc, compilation, index, kFrequency)));
    }
    VNPU_TRY(succeed("MemoryDesc_finish", ndk.memoryDescFinish(desc)));
    ANeuralNetworksMemory* made = nullptr;
    VNPU_TRY(succeed("Memory_createFromDesc", ndk.memoryCreateFromDesc(desc, &made)));
    return Memory(made, ndk.memoryFree);
}

}  // namespace

tl::expected<std::uint32_t, std::string> NdkBuffers::allocate(ArgumentRole role,
                                                              std::uint32_t index) {
    auto memory = describeAndCreate(ndk_, compilation_, role, index);
    if (!memory) {
        return tl::unexpected(fmt::format("{}, expected NO_ERROR", memory.error().describe()));
    }
    const auto token = static_cast<std::uint32_t>(memories_.size() + 1);
    memories_.emplace(token, std::move(*memory));
    return token;
}

nn::ErrorStatus NdkBuffers::copyFrom(const android::hardware::hidl_memory& memory,
                                     std::uint32_t token) {
    const auto source = createNdkMemory(ndk_, memory);
    return source ? statusOf(ndk_.memoryCopy(source->get(), find(token)))
                  : statusOf(source.error().code);
}

nn::ErrorStatus NdkBuffers::copyTo(const android::hardware::hidl_memory& memory,
                                   std::uint32_t token) {
    const auto target = createNdkMemory(ndk_, memory);
    return target ? statusOf(ndk_.memoryCopy(find(token), target->get()))
                  : statusOf(target.error().code);
}

const ANeuralNetworksMemory* NdkBuffers::find(std::uint32_t token) const {
    const auto found = memories_.find(token);
    return found == memories_.end() ? nullptr : found->second.get();
}

}  // namespace vnpu::sim
