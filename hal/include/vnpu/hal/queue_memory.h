// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <cutils/native_handle.h>
#include <hidl/MQDescriptor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// The shared memory of a fast message queue, mapped into this process until destruction. Whoever
/// else maps it may write anything into it at any time.
class QueueMemory {
  public:
    /// What a queue needs of its memory.
    struct Demand {
        size_t messageBytes = 0;
        size_t alignmentBytes = 0;
        android::hardware::MQFlavor flavor{};
    };

    /// The words of a queue's descriptor.
    struct Description {
        const android::hardware::hidl_vec<android::hardware::GrantorDescriptor>& grantors;
        const native_handle_t* handle = nullptr;  // borrowed
        size_t quantum = 0;
        int32_t flags = 0;
    };

    /// Larger rings are neither made nor mapped. source: libfmq of Android 14, extents are an int
    static constexpr uint64_t kMaxRingBytes = INT32_MAX - 4096;

    /// Maps what a descriptor describes, which may come from anywhere: every region must lie where
    /// it may, within a file that can no longer shrink, and apart from the others. A reader of the
    /// unsynchronised flavour takes memory that may only be read.
    [[nodiscard]] static tl::expected<QueueMemory, std::string> map(const Description& description,
                                                                    const Demand& demand);

    QueueMemory() = default;
    QueueMemory(QueueMemory&& other) noexcept { *this = std::move(other); }
    QueueMemory& operator=(QueueMemory&& other) noexcept;
    ~QueueMemory();

    // Null as long as nothing is mapped.
    std::atomic<uint64_t>* readCounter() const { return readCounter_; }
    std::atomic<uint64_t>* writeCounter() const { return writeCounter_; }
    uint8_t* ring() const { return ring_; }
    size_t ringBytes() const { return ringBytes_; }
    /// Also null if there is none, or none that may be written.
    std::atomic<uint32_t>* eventFlagWord() const { return eventFlagWord_; }
    bool isWritable() const { return isWritable_; }

    // ThreadSanitizer sees what one mapping of the memory orders, and nothing of another's. These
    // tell it: what came before a release comes before the acquire that follows it. Else nothing.
#ifdef __SANITIZE_THREAD__
    void acquire() const;
    void release() const;
#else
    void acquire() const {}
    void release() const {}
#endif

  private:
    struct Mapping {
        void* base = nullptr;
        size_t sizeBytes = 0;
    };
    class Builder;

    std::vector<Mapping> mappings_;  // one per file
    std::atomic<uint64_t>* readCounter_ = nullptr;
    std::atomic<uint64_t>* writeCounter_ = nullptr;
    uint8_t* ring_ = nullptr;
    size_t ringBytes_ = 0;
    std::atomic<uint32_t>* eventFlagWord_ = nullptr;
    bool isWritable_ = false;
    size_t orderTag_ = 0;  // the same for all mappings of one file
};

/// Regions and memory of a queue that is being made; who takes it owns the handle.
struct NewQueue {
    std::vector<android::hardware::GrantorDescriptor> grantors;
    native_handle_t* handle = nullptr;
};

struct NewQueueOptions {
    uint64_t messageCount = 0;
    size_t messageBytes = 0;
    size_t alignmentBytes = 0;
    bool hasEventFlag = false;
    android::base::unique_fd ringFile;  // none: the ring lies with the counters
    uint64_t ringFileBytes = 0;
};

/// Memory for a queue, laid out as libfmq does.
[[nodiscard]] tl::expected<NewQueue, std::string> createQueue(NewQueueOptions options);

}  // namespace vnpu::hal
