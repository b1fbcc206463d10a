// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk_client/ndk_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <vndk/hardware_buffer.h>

#include <array>
#include <string>

#include "sim/client/pool_memory.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

namespace {

using android::hardware::hidl_memory;
using Memory = NdkHandle<ANeuralNetworksMemory>;

struct CodeMeaning {
    const char* name;
    nn::ErrorStatus status;
};

// In the order of ResultCode.
constexpr std::array<CodeMeaning, 15> kCodes = {{
        {"NO_ERROR", nn::ErrorStatus::NONE},
        {"OUT_OF_MEMORY", nn::ErrorStatus::GENERAL_FAILURE},
        {"INCOMPLETE", nn::ErrorStatus::GENERAL_FAILURE},
        {"UNEXPECTED_NULL", nn::ErrorStatus::INVALID_ARGUMENT},
        {"BAD_DATA", nn::ErrorStatus::INVALID_ARGUMENT},
        {"OP_FAILED", nn::ErrorStatus::GENERAL_FAILURE},
        {"BAD_STATE", nn::ErrorStatus::INVALID_ARGUMENT},
        {"UNMAPPABLE", nn::ErrorStatus::GENERAL_FAILURE},
        {"OUTPUT_INSUFFICIENT_SIZE", nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE},
        {"UNAVAILABLE_DEVICE", nn::ErrorStatus::DEVICE_UNAVAILABLE},
        {"MISSED_DEADLINE_TRANSIENT", nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT},
        {"MISSED_DEADLINE_PERSISTENT", nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT},
        {"RESOURCE_EXHAUSTED_TRANSIENT", nn::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT},
        {"RESOURCE_EXHAUSTED_PERSISTENT", nn::ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT},
        {"DEAD_OBJECT", nn::ErrorStatus::DEVICE_UNAVAILABLE},
}};

const CodeMeaning* meaningOf(int code) {
    const auto index = static_cast<std::size_t>(code);
    return code >= 0 && index < kCodes.size() ? &kCodes[index] : nullptr;
}

/// The descriptor of a pool of files, and where its bytes begin.
struct FilePlace {
    int descriptor = -1;
    std::size_t offsetBytes = 0;
};

FilePlace placeOf(const hidl_memory& memory) {
    const native_handle_t* const handle = memory.handle();
    if (std::string(memory.name()) != nameOf(PoolKind::kMmapFd)) {
        return {handle->data[0], 0};
    }
    // An "mmap_fd" has one descriptor, then protection and the halves of the offset.
    const auto low = static_cast<std::uint32_t>(handle->data[2]);
    const auto high = static_cast<std::uint32_t>(handle->data[3]);
    return {handle->data[0], (std::uint64_t{high} << 32U) | low};
}

tl::expected<Memory, NdkFailure> createFromBuffer(const NdkFunctions& ndk,
                                                  const hidl_memory& memory) {
    const auto info = hal::decodeBufferMemory(memory);
    AHardwareBuffer* buffer = nullptr;
    if (!info || AHardwareBuffer_createFromHandle(&info->desc, memory.handle(),
                                                  AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE,
                                                  &buffer) != 0) {
        return tl::unexpected(NdkFailure{"hardware buffer", ANEURALNETWORKS_BAD_DATA});
    }
    ANeuralNetworksMemory* made = nullptr;
    const int code = ndk.memoryCreateFromAHardwareBuffer(buffer, &made);
    AHardwareBuffer_release(buffer);  // the memory holds a reference of its own
    Memory owned(made, ndk.memoryFree);
    return succeed("Memory_createFromAHardwareBuffer", code).map([&] { return std::move(owned); });
}

}  // namespace

std::string nameOfNdkCode(int code) {
    const CodeMeaning* const meaning = meaningOf(code);
    return meaning != nullptr ? meaning->name : fmt::format("{}", code);
}

nn::ErrorStatus statusOf(int code) {
    const CodeMeaning* const meaning = meaningOf(code);
    return meaning != nullptr ? meaning->status : nn::ErrorStatus::GENERAL_FAILURE;
}

std::string NdkFailure::describe() const {
    return fmt::format("{}: {}", call, nameOfNdkCode(code));
}

tl::expected<void, NdkFailure> succeed(const char* call, int code) {
    if (code == ANEURALNETWORKS_NO_ERROR) {
        return {};
    }
    return tl::unexpected(NdkFailure{call, code});
}

tl::expected<Memory, NdkFailure> createNdkMemory(const NdkFunctions& ndk,
                                                 const hidl_memory& memory) {
    if (std::string(memory.name()) == nameOf(PoolKind::kHardwareBufferBlob)) {
        return createFromBuffer(ndk, memory);
    }
    const FilePlace place = placeOf(memory);
    ANeuralNetworksMemory* made = nullptr;
    const int code = ndk.memoryCreateFromFd(memory.size(), PROT_READ | PROT_WRITE, place.descriptor,
                                            place.offsetBytes, &made);
    Memory owned(made, ndk.memoryFree);
    return succeed("Memory_createFromFd", code).map([&] { return std::move(owned); });
}

}  // namespace vnpu::sim
