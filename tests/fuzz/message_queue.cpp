// SPDX-License-Identifier: Apache-2.0
// Queues of both flavors whose descriptor and counters come from the fuzzer. The bytes outside the
// regions must not change, and no call may wait forever.
#include <fcntl.h>
#include <fmq/EventFlag.h>
#include <fmq/MessageQueue.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

using android::base::unique_fd;
using android::hardware::EventFlag;
using android::hardware::GrantorDescriptor;
using android::hardware::MessageQueue;
using android::hardware::MQDescriptor;
using android::hardware::MQFlavor;

using QueueElement = std::array<uint32_t, 6>;  // a size that, as in bursts, is not a power of two

constexpr size_t kFileBytes = 8192;
constexpr size_t kMostMessages = 64;
constexpr auto kUntouched = std::byte{0xa5};

/// A file that the descriptor may refer to, accessed without a queue.
class File {
  public:
    File() : fd_(memfd_create("vnpu fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        require(fd_.ok() && ftruncate(fd_.get(), kFileBytes) == 0, "no file");
        void* const memory =
                mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
        require(memory != MAP_FAILED, "no mapping");
        bytes_ = static_cast<std::byte*>(memory);
        std::fill_n(bytes_, kFileBytes, kUntouched);
    }
    ~File() { munmap(bytes_, kFileBytes); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int duplicate() const { return fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0); }
    std::byte* bytes() const { return bytes_; }

    /// Whether all bytes outside the regions are unchanged.
    bool isUntouchedBeside(const std::vector<GrantorDescriptor>& regions) const {
        std::vector<bool> isOfQueue(kFileBytes);
        for (const GrantorDescriptor& region : regions) {
            const uint64_t begin = std::min<uint64_t>(region.offset, kFileBytes);
            const uint64_t end = begin + std::min<uint64_t>(region.extent, kFileBytes - begin);
            for (uint64_t i = begin; i < end; ++i) {
                isOfQueue[i] = true;
            }
        }
        for (size_t i = 0; i < kFileBytes; ++i) {
            if (!isOfQueue[i] && bytes_[i] != kUntouched) {
                return false;
            }
        }
        return true;
    }

  private:
    const unique_fd fd_;
    std::byte* bytes_ = nullptr;
};

std::vector<GrantorDescriptor> anyGrantors(ByteSource& source) {
    auto grantors = android::hardware::details::layOutQueue(
            (1 + source.below(kMostMessages)) * sizeof(QueueElement), source.flip());
    for (size_t changes = source.below(4); changes > 0 && !grantors.empty(); --changes) {
        GrantorDescriptor& grantor = grantors[source.below(grantors.size())];
        switch (source.below(6)) {
            case 0:
                grantor.fdIndex = source.flip() ? 1 : source.number<uint32_t>();
                break;
            case 1:
                grantor.offset = source.flip() ? static_cast<uint32_t>(source.below(kFileBytes))
                                               : source.number<uint32_t>();
                break;
            case 2:
                grantor.extent =
                        source.flip() ? source.below(kFileBytes) : source.number<uint64_t>();
                break;
            case 3:
                grantor.offset += static_cast<uint32_t>(8 * source.below(256));
                break;
            case 4:
                grantors.resize(source.below(6));
                break;
            default:
                grantor.flags = source.number<uint32_t>();
        }
    }
    return grantors;
}

native_handle_t* anyHandle(const File& file, ByteSource& source) {
    const bool isOdd = source.below(8) == 0;
    const int fds = isOdd ? static_cast<int>(source.below(7)) : 1 + (source.flip() ? 1 : 0);
    native_handle_t* const handle = native_handle_create(fds, isOdd && source.flip() ? 2 : 0);
    for (int i = 0; i < fds; ++i) {
        const bool isElsewhere = isOdd && source.below(4) == 0;
        handle->data[i] = isElsewhere ? open("/dev/zero", O_RDWR | O_CLOEXEC) : file.duplicate();
    }
    return handle;
}

/// One end of a queue and the operations of a program on it.
template <MQFlavor kFlavor>
class Operations {
    using Queue = MessageQueue<QueueElement, kFlavor>;

  public:
    Operations(Queue& queue, ByteSource& source) : queue_(queue), source_(source) {}

    void step() {
        const size_t kind = source_.below(8);
        count_ = source_.below(kMostMessages + 4);
        messages_.resize(count_);
        switch (kind) {
            case 0:
                queue_.write(messages_.data(), count_);
                break;
            case 1:
                queue_.read(messages_.data(), count_);
                break;
            case 2:
                transfer(queue_.beginWrite(count_, &transaction_), true);
                queue_.commitWrite(source_.below(8) == 0 ? source_.below(80) : count_);
                break;
            case 3:
                transfer(queue_.beginRead(count_, &transaction_), false);
                queue_.commitRead(source_.below(8) == 0 ? source_.below(80) : count_);
                break;
            case 4:
                block();
                break;
            default:
                require(queue_.availableToRead() <= queue_.getQuantumCount() &&
                                queue_.availableToWrite() <= queue_.getQuantumCount(),
                        "more messages than the queue holds");
        }
    }

  private:
    void transfer(bool isPossible, bool isWrite) {
        const size_t slots = transaction_.getFirstRegion().getLength() +
                             transaction_.getSecondRegion().getLength();
        require(slots == (isPossible ? count_ : 0), "a transaction of another size");
        const size_t start = source_.below(4);
        if (isWrite) {
            transaction_.copyTo(messages_.data(), start, count_ - std::min(start, count_));
        } else {
            transaction_.copyFrom(messages_.data(), start, count_ - std::min(start, count_));
        }
    }

    /// Never waits: the operation is possible or its time has passed.
    void block() {
        if constexpr (kFlavor == android::hardware::kSynchronizedReadWrite) {
            const uint32_t bits = source_.number<uint8_t>();
            if (source_.flip()) {
                queue_.writeBlocking(messages_.data(), count_, bits, bits, -1);
            } else {
                queue_.readBlocking(messages_.data(), count_, bits, bits, -1);
            }
        }
    }

    Queue& queue_;
    ByteSource& source_;
    size_t count_ = 0;
    std::vector<QueueElement> messages_;
    typename Queue::MemTransaction transaction_;
};

/// The peer overwrites the shared memory.
void meddle(const File& file, const std::vector<GrantorDescriptor>& grantors, ByteSource& source) {
    const size_t index = source.below(4);
    if (index >= grantors.size() || grantors[index].offset + sizeof(uint64_t) > kFileBytes ||
        grantors[index].extent < sizeof(uint64_t)) {
        return;
    }
    const uint64_t value = source.flip() ? source.below(4 * kMostMessages) * sizeof(QueueElement)
                                         : source.number<uint64_t>();
    std::memcpy(file.bytes() + grantors[index].offset, &value, sizeof(value));
}

template <MQFlavor kFlavor>
void useQueues(const File& file, ByteSource& source) {
    const std::vector<GrantorDescriptor> grantors = anyGrantors(source);
    const size_t quantum = source.below(16) == 0 ? source.number<uint32_t>() : sizeof(QueueElement);
    const MQDescriptor<QueueElement, kFlavor> descriptor(grantors, anyHandle(file, source),
                                                         quantum);
    // The second end must be safe too after the first end has mapped the memory.
    MessageQueue<QueueElement, kFlavor> first(descriptor, source.flip());
    MessageQueue<QueueElement, kFlavor> second(descriptor, source.flip());
    first.setErrorHandler(
            [](auto, std::string&& what) { require(!what.empty(), "an error without a reason"); });
    for (int steps = 0; steps < 64 && !source.isEmpty(); ++steps) {
        if (source.below(4) == 0) {
            meddle(file, grantors, source);
        }
        Operations<kFlavor>(source.flip() ? first : second, source).step();
    }
    require(file.isUntouchedBeside(grantors), "bytes beside the queue have changed");
}

void useEventFlag(const File& file, ByteSource& source) {
    const unique_fd fd(file.duplicate());
    const auto offset = source.flip() ? static_cast<off_t>(source.below(kFileBytes))
                                      : static_cast<off_t>(source.number<int64_t>());
    EventFlag* flag = nullptr;
    if (EventFlag::createEventFlag(fd.get(), offset, &flag) != android::NO_ERROR) {
        require(flag == nullptr, "an event flag that was not made");
        return;
    }
    uint32_t bits = 0;
    flag->wake(source.number<uint32_t>());
    flag->wait(source.number<uint32_t>(), &bits, -1, source.flip());
    EventFlag::deleteEventFlag(&flag);
    require(file.isUntouchedBeside({{0, 0, static_cast<uint32_t>(offset), sizeof(uint32_t)}}),
            "bytes beside the event flag have changed");
}

void runQueue(std::span<const uint8_t> input) {
    ByteSource source(input);
    const File file;
    switch (source.below(3)) {
        case 0:
            useEventFlag(file, source);
            break;
        case 1:
            useQueues<android::hardware::kUnsynchronizedWrite>(file, source);
            break;
        default:
            useQueues<android::hardware::kSynchronizedReadWrite>(file, source);
    }
}

}  // namespace

const Target kMessageQueue{"message_queue", runQueue};

}  // namespace vnpu::fuzz
