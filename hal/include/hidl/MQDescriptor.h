// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cutils/native_handle.h>
#include <hidl/HidlInternal.h>
#include <hidl/HidlSupport.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace android::hardware {

/// One region of a fast message queue.
struct GrantorDescriptor {
    uint32_t flags = 0;
    uint32_t fdIndex = 0;  ///< which file descriptor of the handle
    uint32_t offset = 0;   ///< bytes from the start of that file
    uint64_t extent = 0;   ///< bytes
};
static_assert(sizeof(GrantorDescriptor) == 24 && alignof(GrantorDescriptor) == 8);

enum MQFlavor : uint32_t {
    kSynchronizedReadWrite = 1,  ///< one reader, one writer, no overwriting
    kUnsynchronizedWrite = 2,    ///< a writer that overwrites, any number of readers
};

/// Where a fast message queue lies: regions of shared memory and a handle, which the descriptor
/// owns. What a descriptor from another process says is not checked here.
template <typename T, MQFlavor flavor>
struct MQDescriptor {
    /// Order of the regions.
    enum GrantorType : int32_t { READPTRPOS = 0, WRITEPTRPOS, DATAPTRPOS, EVFLAGWORDPOS };

    static constexpr int32_t kMinGrantorCount = DATAPTRPOS + 1;
    static constexpr int32_t kMinGrantorCountForEvFlagSupport = EVFLAGWORDPOS + 1;

    MQDescriptor() = default;

    MQDescriptor(const std::vector<GrantorDescriptor>& grantors, native_handle_t* handle,
                 size_t messageSize)
        : grantors_(grantors), quantum_(static_cast<uint32_t>(messageSize)) {
        handle_.setTo(handle, true);
    }

    /// Lays out read counter, write counter, ring and, if asked for, event flag word, one behind
    /// the other.
    MQDescriptor(size_t bufferSize, native_handle_t* handle, size_t messageSize,
                 bool configureEventFlag = false)
        : MQDescriptor(layOut(bufferSize, configureEventFlag), handle, messageSize) {}

    /// Duplicates the file descriptors.
    explicit MQDescriptor(const MQDescriptor& other) = default;
    explicit MQDescriptor(MQDescriptor&& other) noexcept = default;
    MQDescriptor& operator=(const MQDescriptor& other) = default;
    MQDescriptor& operator=(MQDescriptor&& other) noexcept = default;
    ~MQDescriptor() = default;

    /// Bytes of the ring.
    size_t getSize() const {
        return grantors_.size() > DATAPTRPOS ? static_cast<size_t>(grantors_[DATAPTRPOS].extent)
                                             : 0;
    }
    /// Bytes of a message.
    size_t getQuantum() const { return quantum_; }
    int32_t getFlags() const { return flags_; }
    bool isHandleValid() const { return handle() != nullptr; }
    size_t countGrantors() const { return grantors_.size(); }

    const hidl_vec<GrantorDescriptor>& grantors() const { return grantors_; }
    const native_handle_t* handle() const { return handle_; }

  private:
    static std::vector<GrantorDescriptor> layOut(size_t bufferSize, bool hasEventFlag) {
        constexpr size_t kCounterBytes = sizeof(uint64_t);
        std::vector<size_t> extents{kCounterBytes, kCounterBytes, bufferSize};
        if (hasEventFlag) {
            extents.push_back(sizeof(uint32_t));
        }
        std::vector<GrantorDescriptor> grantors;
        size_t offset = 0;
        for (const size_t extent : extents) {
            grantors.push_back({0, 0, static_cast<uint32_t>(offset), extent});
            offset = (offset + extent + kCounterBytes - 1) / kCounterBytes * kCounterBytes;
        }
        return grantors;
    }

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
