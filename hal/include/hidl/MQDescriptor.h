// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlInternal.h>
#include <hidl/HidlSupport.h>
#include <vnpu/hal/hidl/declare.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace android::hardware {

/// One region of a fast message queue.
struct GrantorDescriptor {
    uint32_t flags = 0;
    uint32_t fdIndex = 0;  ///< index of the file descriptor in the handle
    uint32_t offset = 0;   ///< bytes from the start of that file
    uint64_t extent = 0;   ///< bytes
};
static_assert(sizeof(GrantorDescriptor) == 24 && alignof(GrantorDescriptor) == 8);
VNPU_HIDL_FIELDS(GrantorDescriptor, flags, fdIndex, offset, extent)

enum MQFlavor : uint32_t {
    kSynchronizedReadWrite = 1,  ///< one reader, one writer, no overwriting
    kUnsynchronizedWrite = 2,    ///< a writer that overwrites, any number of readers
};

namespace details {

constexpr size_t kQueueWordBytes = sizeof(uint64_t);  // alignment of every region

/// `length` rounded up to a multiple of `alignment`.
constexpr size_t alignUp(size_t length, size_t alignment) {
    return (length + alignment - 1) / alignment * alignment;
}

/// The consecutive regions of a queue in one file: read counter, write counter, ring and,
/// optionally, event flag word.
inline std::vector<GrantorDescriptor> layOutQueue(size_t ringBytes, bool hasEventFlag,
                                                  size_t ringAlignment = kQueueWordBytes) {
    const size_t ring = alignUp(2 * kQueueWordBytes, ringAlignment);
    const size_t eventFlag = alignUp(ring + ringBytes, kQueueWordBytes);
    std::vector<GrantorDescriptor> grantors{
            {0, 0, 0, kQueueWordBytes},
            {0, 0, kQueueWordBytes, kQueueWordBytes},
            {0, 0, static_cast<uint32_t>(ring), ringBytes},
    };
    if (hasEventFlag) {
        grantors.push_back({0, 0, static_cast<uint32_t>(eventFlag), sizeof(uint32_t)});
    }
    return grantors;
}

}  // namespace details

/// The location of a fast message queue: regions of shared memory and a handle, which the
/// descriptor owns. The contents of a descriptor from another process are not checked here.
template <typename T, MQFlavor flavor>
struct MQDescriptor {
    /// The order of the regions.
    enum GrantorType : int32_t { READPTRPOS = 0, WRITEPTRPOS, DATAPTRPOS, EVFLAGWORDPOS };

    static constexpr int32_t kMinGrantorCount = DATAPTRPOS + 1;
    static constexpr int32_t kMinGrantorCountForEvFlagSupport = EVFLAGWORDPOS + 1;

    MQDescriptor() = default;

    MQDescriptor(const std::vector<GrantorDescriptor>& grantors, native_handle_t* handle,
                 size_t messageSize)
        : grantors_(grantors), quantum_(static_cast<uint32_t>(messageSize)) {
        handle_.setTo(handle, true);
    }

    /// A ring of `bufferSize` bytes in one file, laid out as details::layOutQueue does.
    MQDescriptor(size_t bufferSize, native_handle_t* handle, size_t messageSize,
                 bool configureEventFlag = false)
        : MQDescriptor(details::layOutQueue(bufferSize, configureEventFlag), handle, messageSize) {}

    /// Duplicates the file descriptors.
    explicit MQDescriptor(const MQDescriptor& other) = default;
    explicit MQDescriptor(MQDescriptor&& other) noexcept = default;
    MQDescriptor& operator=(const MQDescriptor& other) = default;
    MQDescriptor& operator=(MQDescriptor&& other) noexcept = default;
    ~MQDescriptor() = default;

    /// Size of the ring in bytes.
    size_t getSize() const {
        return grantors_.size() > DATAPTRPOS ? static_cast<size_t>(grantors_[DATAPTRPOS].extent)
                                             : 0;
    }
    /// Size of a message in bytes.
    size_t getQuantum() const { return quantum_; }
    int32_t getFlags() const { return flags_; }
    bool isHandleValid() const { return handle() != nullptr; }
    size_t countGrantors() const { return grantors_.size(); }

    const hidl_vec<GrantorDescriptor>& grantors() const { return grantors_; }
    hidl_vec<GrantorDescriptor>& grantors() { return grantors_; }
    const native_handle_t* handle() const { return handle_; }
    native_handle_t* handle() { return const_cast<native_handle_t*>(handle_.getNativeHandle()); }

    static constexpr size_t alignToWordBoundary(size_t length) {
        return details::alignUp(length, details::kQueueWordBytes);
    }
    static constexpr bool isAlignedToWordBoundary(size_t offset) {
        return offset % details::kQueueWordBytes == 0;
    }

  private:
    hidl_vec<GrantorDescriptor> grantors_;
    hidl_handle handle_;
    uint32_t quantum_ = 0;
    int32_t flags_ = flavor;
};

template <typename T>
using MQDescriptorSync = MQDescriptor<T, kSynchronizedReadWrite>;
template <typename T>
using MQDescriptorUnsync = MQDescriptor<T, kUnsynchronizedWrite>;

}  // namespace android::hardware
