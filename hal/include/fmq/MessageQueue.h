// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <fmq/EventFlag.h>
#include <hidl/HidlInternal.h>
#include <hidl/MQDescriptor.h>
#include <vnpu/hal/duplicate_handle.h>
#include <vnpu/hal/queue_memory.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace android::hardware {

/// A fast message queue: a lock-free ring of messages in memory that processes share. It makes
/// system calls only to wait and to wake. The other end may be libfmq.
///
/// A synchronized queue has one reader and one writer and overwrites nothing. An unsynchronized
/// queue has any number of readers, one per object; a reader that was overtaken fails once and
/// continues with the messages that are written afterwards. At most one thread reads and one writes
/// at a time.
///
/// The shared memory may be corrupt at any time. Each operation checks the values that it uses,
/// fails if the counters contradict each other, and never leaves the ring.
template <typename T, MQFlavor flavor>
struct MessageQueue {
    using Descriptor = MQDescriptor<T, flavor>;

    enum Error : int { NONE, POINTER_CORRUPTION };
    using ErrorHandler = std::function<void(Error, std::string&&)>;

    /// Attaches to an existing queue. `resetPointers` empties it for all its users.
    MessageQueue(const Descriptor& descriptor, bool resetPointers = true);

    /// Creates a queue for `numElementsInQueue` messages.
    MessageQueue(size_t numElementsInQueue, bool configureEventFlagWord = false)
        : MessageQueue(numElementsInQueue, configureEventFlagWord, base::unique_fd(), 0) {}

    /// Creates a queue whose messages lie at the start of the caller's file, which must allow seals
    /// against shrinking.
    MessageQueue(size_t numElementsInQueue, bool configureEventFlagWord, base::unique_fd bufferFd,
                 size_t bufferSize);

    ~MessageQueue();
    MessageQueue(const MessageQueue&) = delete;
    MessageQueue& operator=(const MessageQueue&) = delete;

    /// Whether the queue exists. If not, the log holds the reason and all operations fail.
    bool isValid() const { return ring_ != nullptr; }

    /// The free room in messages; 0 if the counters are corrupt.
    size_t availableToWrite() const;
    /// The readable messages, at most getQuantumCount(); 0 if the counters are corrupt. An
    /// overtaken reader of an unsynchronized queue learns this from its next read.
    size_t availableToRead() const;
    size_t getQuantumSize() const { return descriptor_ != nullptr ? sizeof(T) : 0; }
    size_t getQuantumCount() const { return capacity_; }

    // All or nothing: false without enough data, room or messages. Zero messages always succeed.
    bool write(const T* data) { return write(data, 1); }
    bool write(const T* data, size_t count);
    bool read(T* data) { return read(data, 1); }
    bool read(T* data, size_t count);

    /// Like write(), but waits for room, i.e. for a bit of `readNotification`, which the reader
    /// sets; then sets `writeNotification`. Uses the queue's own event flag unless another is
    /// given. Fails after `timeOutNanos` (0: never; negative: after one more attempt), and
    /// immediately if the messages exceed the queue or the counters are corrupt.
    bool writeBlocking(const T* data, size_t count, uint32_t readNotification,
                       uint32_t writeNotification, int64_t timeOutNanos = 0,
                       EventFlag* evFlag = nullptr);
    bool writeBlocking(const T* data, size_t count, int64_t timeOutNanos = 0) {
        return writeBlocking(data, count, FMQ_NOT_FULL, FMQ_NOT_EMPTY, timeOutNanos);
    }
    /// The counterpart of writeBlocking().
    bool readBlocking(T* data, size_t count, uint32_t readNotification, uint32_t writeNotification,
                      int64_t timeOutNanos = 0, EventFlag* evFlag = nullptr);
    bool readBlocking(T* data, size_t count, int64_t timeOutNanos = 0) {
        return readBlocking(data, count, FMQ_NOT_FULL, FMQ_NOT_EMPTY, timeOutNanos);
    }

    /// Null if the queue does not exist.
    const Descriptor* getDesc() const { return descriptor_.get(); }
    /// Null if the queue has no event flag.
    std::atomic<uint32_t>* getEventFlagWord() const { return memory_.eventFlagWord(); }
    uint8_t* getRingBufferPtr() const { return ring_; }

    /// Called when the counters are corrupt, on the thread that notices it.
    void setErrorHandler(ErrorHandler&& handler) { errorHandler_ = std::move(handler); }

    /// A contiguous range of messages.
    struct MemRegion {
        MemRegion() = default;
        MemRegion(T* base, size_t size) : address_(base), length_(size) {}

        T* getAddress() const { return address_; }
        size_t getLength() const { return length_; }
        size_t getLengthInBytes() const { return length_ * sizeof(T); }

      private:
        T* address_ = nullptr;
        size_t length_ = 0;
    };

    /// The position of messages in the ring. The second region is empty unless the messages wrap
    /// around.
    struct MemTransaction {
        MemTransaction() = default;
        MemTransaction(const MemRegion& regionFirst, const MemRegion& regionSecond)
            : first_(regionFirst), second_(regionSecond) {}

        /// Null beyond the last message.
        T* getSlot(size_t index) {
            if (index < first_.getLength()) {
                return first_.getAddress() + index;
            }
            index -= first_.getLength();
            return index < second_.getLength() ? second_.getAddress() + index : nullptr;
        }
        /// Copies `count` messages to the positions from `startIndex` on; false if there are fewer.
        bool copyTo(const T* data, size_t startIndex, size_t count = 1);
        /// Copies `count` messages from the positions from `startIndex` on.
        bool copyFrom(T* data, size_t startIndex, size_t count = 1);

        const MemRegion& getFirstRegion() const { return first_; }
        const MemRegion& getSecondRegion() const { return second_; }

      private:
        /// Calls `copy(our message, their message, count)` for each region of the range.
        template <typename Copy>
        bool forRange(const T* data, size_t startIndex, size_t count, Copy&& copy);

        MemRegion first_;
        MemRegion second_;
    };

    // Zero-copy access: begin returns the positions of the next `count` messages and reserves
    // nothing; commit advances by the messages that were written or read.
    bool beginWrite(size_t count, MemTransaction* result) const {
        return begin<&MessageQueue::cursorToWrite>(count, result);
    }
    bool commitWrite(size_t count) {
        return commit<&MessageQueue::cursorToWrite>(*writeCounter_, count);
    }
    bool beginRead(size_t count, MemTransaction* result) const {
        return begin<&MessageQueue::cursorToRead>(count, result);
    }
    /// False if the messages were overwritten since beginRead(); their contents are then invalid.
    bool commitRead(size_t count) {
        return commit<&MessageQueue::cursorToRead>(*readCounter_, count);
    }

  private:
    // source: libfmq, notifications of the short forms of the blocking calls
    enum DefaultNotification : uint32_t { FMQ_NOT_FULL = 0x01, FMQ_NOT_EMPTY = 0x02 };

    static constexpr bool kIsSynchronized = flavor == kSynchronizedReadWrite;

    /// A counter of this side in bytes since the start, and the matching offset in the ring. It
    /// avoids a division by the ring's size, which would cost more than the rest of an operation.
    struct Cursor {
        uint64_t counter = 0;
        size_t offset = 0;
    };

    /// Maps the queue of the descriptor; logs the reason of a failure.
    bool map(const Descriptor& descriptor);
    void use(std::unique_ptr<Descriptor> descriptor, bool resetPointers);
    static void fail(const std::string& reason) { details::logError("message queue: " + reason); }

    /// A snapshot of the counters, which the peer may have set to any value.
    struct Counters {
        uint64_t readTo = 0;
        uint64_t writtenTo = 0;

        uint64_t filled() const { return writtenTo - readTo; }
    };
    Counters counters() const {
        const uint64_t writtenTo = writeCounter_->load(std::memory_order_acquire);
        return {readCounter_->load(std::memory_order_acquire), writtenTo};
    }
    bool isSane(const Counters& now) const {
        return now.filled() <= ringBytes_ && now.readTo % sizeof(T) == 0 &&
               now.writtenTo % sizeof(T) == 0;
    }
    /// Only for synchronized queues, where counters that are too far apart have no other cause.
    bool isCorrupted() const { return kIsSynchronized && !isSane(counters()); }
    void reportIfCorrupted() const;

    // The position of the next messages if they fit or are there, else null.
    Cursor* cursorToWrite(size_t bytes) const;
    Cursor* cursorToRead(size_t bytes) const;
    bool seek(Cursor& cursor, uint64_t counter) const;
    Cursor advanced(const Cursor& cursor, size_t bytes) const;
    /// Whether the data at the cursor is not overwritten yet; always true in a synchronized queue.
    bool isStillThere(const Cursor& cursor) const;
    /// Continues with the messages that are written from now on.
    void skipTo(uint64_t writtenTo) const;

    /// Calls `copy(address, offset in the data, bytes)` for the part before the end of the ring and
    /// the part that wraps around.
    template <typename Copy>
    void forParts(const Cursor& cursor, size_t bytes, Copy&& copy) const;
    MemTransaction regionsAt(const Cursor& cursor, size_t count) const;

    // kCursorTo: cursorToWrite or cursorToRead.
    template <auto kCursorTo>
    bool begin(size_t count, MemTransaction* result) const;
    template <auto kCursorTo>
    bool commit(std::atomic<uint64_t>& counter, size_t count);

    template <typename Attempt>
    bool block(Attempt&& attempt, uint32_t waitFor, uint32_t notify, int64_t timeOutNanos,
               EventFlag* evFlag);

    uint8_t* ring_ = nullptr;
    size_t ringBytes_ = 0;
    size_t capacity_ = 0;  // messages
    // For a queue that does not exist, and for a reader whose counter no other process sees.
    mutable std::atomic<uint64_t> privateCounter_{0};
    std::atomic<uint64_t>* readCounter_ = &privateCounter_;
    std::atomic<uint64_t>* writeCounter_ = &privateCounter_;
    mutable Cursor writer_;
    mutable Cursor reader_;

    vnpu::hal::QueueMemory memory_;
    std::unique_ptr<Descriptor> descriptor_;
    EventFlag* eventFlag_ = nullptr;
    ErrorHandler errorHandler_;
};

// ---- construction

template <typename T, MQFlavor flavor>
MessageQueue<T, flavor>::MessageQueue(const Descriptor& descriptor, bool resetPointers) {
    if (!map(descriptor)) {
        return;
    }
    auto handle = vnpu::hal::duplicateHandle(descriptor.handle());
    if (!handle) {
        fail(handle.error());
        return;
    }
    use(std::make_unique<Descriptor>(descriptor.grantors(), *handle, sizeof(T)), resetPointers);
}

template <typename T, MQFlavor flavor>
MessageQueue<T, flavor>::MessageQueue(size_t numElementsInQueue, bool configureEventFlagWord,
                                      base::unique_fd bufferFd, size_t bufferSize) {
    auto created =
            vnpu::hal::createQueue({numElementsInQueue, sizeof(T), alignof(T),
                                    configureEventFlagWord, std::move(bufferFd), bufferSize});
    if (!created) {
        fail(created.error());
        return;
    }
    auto descriptor = std::make_unique<Descriptor>(created->grantors, created->handle, sizeof(T));
    if (map(*descriptor)) {
        use(std::move(descriptor), true);
    }
}

template <typename T, MQFlavor flavor>
MessageQueue<T, flavor>::~MessageQueue() {
    if (eventFlag_ != nullptr) {
        EventFlag::deleteEventFlag(&eventFlag_);
    }
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::map(const Descriptor& descriptor) {
    auto mapped = vnpu::hal::QueueMemory::map({descriptor.grantors(), descriptor.handle(),
                                               descriptor.getQuantum(), descriptor.getFlags()},
                                              {sizeof(T), alignof(T), flavor});
    if (!mapped) {
        fail(mapped.error());
        return false;
    }
    memory_ = std::move(*mapped);
    return true;
}

template <typename T, MQFlavor flavor>
void MessageQueue<T, flavor>::use(std::unique_ptr<Descriptor> descriptor, bool resetPointers) {
    descriptor_ = std::move(descriptor);
    ring_ = memory_.ring();
    ringBytes_ = memory_.ringBytes();
    capacity_ = ringBytes_ / sizeof(T);
    writeCounter_ = memory_.writeCounter();
    if constexpr (kIsSynchronized) {
        readCounter_ = memory_.readCounter();
    }
    if (resetPointers && memory_.isWritable()) {
        readCounter_->store(0, std::memory_order_release);
        writeCounter_->store(0, std::memory_order_release);
    }
    if (memory_.eventFlagWord() != nullptr) {
        EventFlag::createEventFlag(memory_.eventFlagWord(), &eventFlag_);
    }
}

// ---- counters

template <typename T, MQFlavor flavor>
void MessageQueue<T, flavor>::reportIfCorrupted() const {
    const Counters now = counters();
    if (kIsSynchronized && errorHandler_ && !isSane(now)) {
        errorHandler_(POINTER_CORRUPTION, "message queue: read to " + std::to_string(now.readTo) +
                                                  ", written to " + std::to_string(now.writtenTo) +
                                                  " in a ring of " + std::to_string(ringBytes_) +
                                                  " bytes");
    }
}

template <typename T, MQFlavor flavor>
size_t MessageQueue<T, flavor>::availableToWrite() const {
    const Counters now = counters();
    return isSane(now) ? (ringBytes_ - now.filled()) / sizeof(T) : 0;
}

template <typename T, MQFlavor flavor>
size_t MessageQueue<T, flavor>::availableToRead() const {
    const Counters now = counters();
    if (isSane(now)) {
        return now.filled() / sizeof(T);
    }
    return kIsSynchronized ? 0 : capacity_;
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::seek(Cursor& cursor, uint64_t counter) const {
    if (counter == cursor.counter) [[likely]] {
        return true;
    }
    // Another user moved this side's counter, or no operation has run yet.
    if (counter % sizeof(T) != 0) {
        return false;
    }
    cursor = {counter, static_cast<size_t>(counter % ringBytes_)};
    return true;
}

template <typename T, MQFlavor flavor>
typename MessageQueue<T, flavor>::Cursor MessageQueue<T, flavor>::advanced(const Cursor& cursor,
                                                                           size_t bytes) const {
    const size_t offset = cursor.offset + bytes;
    return {cursor.counter + bytes, offset < ringBytes_ ? offset : offset - ringBytes_};
}

// `bytes` is at most ringBytes_, so that one comparison detects both a lack of room and counters
// that are too far apart.
template <typename T, MQFlavor flavor>
typename MessageQueue<T, flavor>::Cursor* MessageQueue<T, flavor>::cursorToWrite(
        size_t bytes) const {
    const uint64_t writtenTo = writeCounter_->load(std::memory_order_relaxed);
    if constexpr (kIsSynchronized) {
        const uint64_t filled = writtenTo - readCounter_->load(std::memory_order_acquire);
        if (filled <= ringBytes_ - bytes && filled % sizeof(T) == 0 && seek(writer_, writtenTo)) {
            memory_.acquire();
            return &writer_;
        }
    } else if (memory_.isWritable() && seek(writer_, writtenTo)) {
        return &writer_;
    }
    reportIfCorrupted();
    return nullptr;
}

template <typename T, MQFlavor flavor>
typename MessageQueue<T, flavor>::Cursor* MessageQueue<T, flavor>::cursorToRead(
        size_t bytes) const {
    const uint64_t writtenTo = writeCounter_->load(std::memory_order_acquire);
    const uint64_t readTo = readCounter_->load(std::memory_order_relaxed);
    const uint64_t filled = writtenTo - readTo;
    if (filled - bytes <= ringBytes_ - bytes && filled % sizeof(T) == 0 && seek(reader_, readTo)) {
        memory_.acquire();
        return &reader_;
    }
    if (!kIsSynchronized && filled > ringBytes_) {
        skipTo(writtenTo);
    }
    reportIfCorrupted();
    return nullptr;
}

template <typename T, MQFlavor flavor>
void MessageQueue<T, flavor>::skipTo(uint64_t writtenTo) const {
    if (writtenTo % sizeof(T) == 0) {
        readCounter_->store(writtenTo, std::memory_order_release);
    }
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::isStillThere(const Cursor& cursor) const {
    if constexpr (!kIsSynchronized) {
        // The copy precedes this load. (ThreadSanitizer does not know fences.)
#ifndef __SANITIZE_THREAD__
        std::atomic_thread_fence(std::memory_order_acquire);
#endif
        const uint64_t writtenTo = writeCounter_->load(std::memory_order_acquire);
        if (writtenTo - cursor.counter > ringBytes_) {
            skipTo(writtenTo);
            return false;
        }
    }
    return true;
}

// ---- transfers

template <typename T, MQFlavor flavor>
template <typename Copy>
void MessageQueue<T, flavor>::forParts(const Cursor& cursor, size_t bytes, Copy&& copy) const {
    const size_t toEnd = ringBytes_ - cursor.offset;
    if (bytes <= toEnd) {
        copy(ring_ + cursor.offset, size_t{0}, bytes);
    } else {
        copy(ring_ + cursor.offset, size_t{0}, toEnd);
        copy(ring_, toEnd, bytes - toEnd);
    }
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::write(const T* data, size_t count) {
    if (data == nullptr || count > capacity_ || !isValid()) {
        return false;
    }
    const size_t bytes = count * sizeof(T);
    Cursor* const cursor = cursorToWrite(bytes);
    if (cursor == nullptr) {
        return false;
    }
    // Computed before the copy, so that only the store follows it.
    const Cursor next = advanced(*cursor, bytes);
    std::atomic<uint64_t>* const counter = writeCounter_;
    forParts(*cursor, bytes, [data](uint8_t* ring, size_t at, size_t length) {
        std::memcpy(ring, reinterpret_cast<const uint8_t*>(data) + at, length);
    });
    *cursor = next;
    memory_.release();
    counter->store(next.counter, std::memory_order_release);
    return true;
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::read(T* data, size_t count) {
    if (data == nullptr || count > capacity_ || !isValid()) {
        return false;
    }
    const size_t bytes = count * sizeof(T);
    Cursor* const cursor = cursorToRead(bytes);
    if (cursor == nullptr) {
        return false;
    }
    const Cursor next = advanced(*cursor, bytes);
    std::atomic<uint64_t>* const counter = readCounter_;
    forParts(*cursor, bytes, [data](const uint8_t* ring, size_t at, size_t length) {
        std::memcpy(reinterpret_cast<uint8_t*>(data) + at, ring, length);
    });
    if (!isStillThere(*cursor)) {
        return false;
    }
    *cursor = next;
    memory_.release();
    counter->store(next.counter, std::memory_order_release);
    return true;
}

// ---- transfers without a copy

template <typename T, MQFlavor flavor>
typename MessageQueue<T, flavor>::MemTransaction MessageQueue<T, flavor>::regionsAt(
        const Cursor& cursor, size_t count) const {
    const size_t toEnd = (ringBytes_ - cursor.offset) / sizeof(T);
    T* const at = reinterpret_cast<T*>(ring_ + cursor.offset);
    T* const start = reinterpret_cast<T*>(ring_);
    return count <= toEnd ? MemTransaction({at, count}, {})
                          : MemTransaction({at, toEnd}, {start, count - toEnd});
}

template <typename T, MQFlavor flavor>
template <auto kCursorTo>
bool MessageQueue<T, flavor>::begin(size_t count, MemTransaction* result) const {
    const bool isPossible = result != nullptr && count <= capacity_ && isValid();
    const Cursor* const cursor = isPossible ? (this->*kCursorTo)(count * sizeof(T)) : nullptr;
    if (result != nullptr) {
        *result = cursor != nullptr ? regionsAt(*cursor, count) : MemTransaction();
    }
    return cursor != nullptr;
}

template <typename T, MQFlavor flavor>
template <auto kCursorTo>
bool MessageQueue<T, flavor>::commit(std::atomic<uint64_t>& counter, size_t count) {
    const bool isPossible = count <= capacity_ && isValid();
    Cursor* const cursor = isPossible ? (this->*kCursorTo)(count * sizeof(T)) : nullptr;
    if (cursor == nullptr) {
        return false;
    }
    *cursor = advanced(*cursor, count * sizeof(T));
    memory_.release();
    counter.store(cursor->counter, std::memory_order_release);
    return true;
}

template <typename T, MQFlavor flavor>
template <typename Copy>
bool MessageQueue<T, flavor>::MemTransaction::forRange(const T* data, size_t startIndex,
                                                       size_t count, Copy&& copy) {
    const size_t total = first_.getLength() + second_.getLength();
    if (data == nullptr || startIndex > total || count > total - startIndex) {
        return false;
    }
    const size_t inFirst =
            startIndex < first_.getLength() ? std::min(count, first_.getLength() - startIndex) : 0;
    if (inFirst != 0) {
        copy(getSlot(startIndex), size_t{0}, inFirst * sizeof(T));
    }
    if (inFirst != count) {
        copy(getSlot(startIndex + inFirst), inFirst, (count - inFirst) * sizeof(T));
    }
    return true;
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::MemTransaction::copyTo(const T* data, size_t startIndex,
                                                     size_t count) {
    return forRange(data, startIndex, count, [&](T* slot, size_t index, size_t bytes) {
        std::memcpy(static_cast<void*>(slot), static_cast<const void*>(data + index), bytes);
    });
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::MemTransaction::copyFrom(T* data, size_t startIndex, size_t count) {
    return forRange(data, startIndex, count, [&](const T* slot, size_t index, size_t bytes) {
        std::memcpy(static_cast<void*>(data + index), static_cast<const void*>(slot), bytes);
    });
}

// ---- waiting

template <typename T, MQFlavor flavor>
template <typename Attempt>
bool MessageQueue<T, flavor>::block(Attempt&& attempt, uint32_t waitFor, uint32_t notify,
                                    int64_t timeOutNanos, EventFlag* evFlag) {
    static_assert(kIsSynchronized, "only a synchronized queue can be waited for");
    using Clock = std::chrono::steady_clock;
    if (evFlag == nullptr) {
        evFlag = eventFlag_;
    }
    if (evFlag == nullptr) {
        fail("there is no event flag to wait for");
        return false;
    }
    if (waitFor == 0) {
        return false;
    }
    const Clock::time_point begin = timeOutNanos == 0 ? Clock::time_point() : Clock::now();
    bool isLast = false;
    while (!attempt()) {
        if (isLast || isCorrupted()) {
            return false;
        }
        int64_t left = 0;  // without limit
        if (timeOutNanos != 0) {
            left = timeOutNanos - std::chrono::nanoseconds(Clock::now() - begin).count();
            isLast = left <= 0;
        }
        uint32_t bits = 0;
        const status_t status = isLast ? NO_ERROR : evFlag->wait(waitFor, &bits, left, true);
        if (status != NO_ERROR) {
            if (status != -ETIMEDOUT) {
                fail("waiting failed with status " + std::to_string(status));
            }
            return false;
        }
    }
    evFlag->wake(notify);
    return true;
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::writeBlocking(const T* data, size_t count, uint32_t readNotification,
                                            uint32_t writeNotification, int64_t timeOutNanos,
                                            EventFlag* evFlag) {
    return data != nullptr && count <= capacity_ && isValid() &&
           block([&] { return write(data, count); }, readNotification, writeNotification,
                 timeOutNanos, evFlag);
}

template <typename T, MQFlavor flavor>
bool MessageQueue<T, flavor>::readBlocking(T* data, size_t count, uint32_t readNotification,
                                           uint32_t writeNotification, int64_t timeOutNanos,
                                           EventFlag* evFlag) {
    return data != nullptr && count <= capacity_ && isValid() &&
           block([&] { return read(data, count); }, writeNotification, readNotification,
                 timeOutNanos, evFlag);
}

}  // namespace android::hardware
