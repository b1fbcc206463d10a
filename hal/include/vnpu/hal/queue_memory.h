// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/mapped_file.h>
#include <android-base/unique_fd.h>
#include <cutils/native_handle.h>
#include <hidl/MQDescriptor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// The shared memory of a fast message queue, mapped until destruction. Another process that maps
/// it may write any bytes at any time.
class QueueMemory {
  public:
    /// The requirements of a queue on its memory.
    struct Demand {
        size_t messageBytes = 0;
        size_t alignmentBytes = 0;
        android::hardware::MQFlavor flavor{};
    };

    /// The fields of a queue's descriptor.
    struct Description {
        const android::hardware::hidl_vec<android::hardware::GrantorDescriptor>& grantors;
        const native_handle_t* handle = nullptr;  // borrowed
        size_t quantum = 0;
        int32_t flags = 0;
    };

    /// Larger rings are refused. source: libfmq of Android 14, extents are an int
    static constexpr uint64_t kMaxRingBytes = INT32_MAX - 4096;

    /// Maps the regions of an untrusted descriptor. Every region must lie at a permitted place
    /// within a file that can no longer shrink, and must not overlap another region. A reader of
    /// the unsynchronized flavor accepts read-only memory.
    [[nodiscard]] static tl::expected<QueueMemory, std::string> map(const Description& description,
                                                                    const Demand& demand);

    // Null while nothing is mapped.
    std::atomic<uint64_t>* readCounter() const { return readCounter_; }
    std::atomic<uint64_t>* writeCounter() const { return writeCounter_; }
    uint8_t* ring() const { return ring_; }
    size_t ringBytes() const { return ringBytes_; }
    /// Null also if the queue has no event flag or the memory is read-only.
    std::atomic<uint32_t>* eventFlagWord() const { return eventFlagWord_; }
    bool isWritable() const { return isWritable_; }

    // ThreadSanitizer does not see that two mappings of one file are the same memory. These calls
    // declare that a release happens before the acquire that follows it; without it they do
    // nothing.
#ifdef __SANITIZE_THREAD__
    void acquire() const;
    void release() const;
#else
    void acquire() const {}
    void release() const {}
#endif

  private:
    class Builder;

    std::vector<std::unique_ptr<android::base::MappedFile>> files_;
    std::atomic<uint64_t>* readCounter_ = nullptr;
    std::atomic<uint64_t>* writeCounter_ = nullptr;
    uint8_t* ring_ = nullptr;
    size_t ringBytes_ = 0;
    std::atomic<uint32_t>* eventFlagWord_ = nullptr;
    bool isWritable_ = false;
    size_t orderTag_ = 0;  // the same for all mappings of one file
};

/// The regions and the memory of a new queue. The receiver owns the handle.
struct NewQueue {
    std::vector<android::hardware::GrantorDescriptor> grantors;
    native_handle_t* handle = nullptr;
};

struct NewQueueOptions {
    uint64_t messageCount = 0;
    size_t messageBytes = 0;
    size_t alignmentBytes = 0;
    bool hasEventFlag = false;
    android::base::unique_fd ringFile;  // invalid: the ring shares a file with the counters
    uint64_t ringFileBytes = 0;
};

/// Creates the memory of a queue with libfmq's layout.
[[nodiscard]] tl::expected<NewQueue, std::string> createQueue(NewQueueOptions options);

}  // namespace vnpu::hal
