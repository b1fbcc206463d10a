// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vnpu/hal/queue_memory.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hal/src/failure.h"
#include "hal/src/memory/sealed_file.h"
#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

using android::base::MappedFile;
using android::hardware::GrantorDescriptor;

template <typename T>
using Result = tl::expected<T, std::string>;

// Indexed by the position in a descriptor.
constexpr size_t kReadCounter = 0, kWriteCounter = 1, kRing = 2, kEventFlag = 3;
constexpr size_t kMaxRegions = 4;
constexpr std::array<const char*, kMaxRegions> kRegionNames{"read counter", "write counter", "ring",
                                                            "event flag word"};

static_assert(std::atomic<uint64_t>::is_always_lock_free &&
              sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));

Result<void> checkHandle(const native_handle_t* handle) {
    if (handle == nullptr) {
        return failure("the queue's descriptor has no handle");
    }
    if (handle->version != static_cast<int>(sizeof(native_handle_t)) || handle->numFds < 1 ||
        handle->numFds > static_cast<int>(kMaxRegions) || handle->numInts < 0) {
        return failure(
                "the queue's handle has version {}, {} fds and {} ints, expected {}, 1 to "
                "{} and 0",
                handle->version, handle->numFds, handle->numInts, sizeof(native_handle_t),
                kMaxRegions);
    }
    return {};
}

/// The file and the bytes of a region.
struct Extent {
    dev_t device = 0;
    ino_t inode = 0;
    uint64_t begin = 0, end = 0;

    bool overlaps(const Extent& other) const {
        return device == other.device && inode == other.inode && begin < other.end &&
               other.begin < end;
    }
};

/// The required size of a region in bytes; 0 for the ring, whose size the descriptor gives.
constexpr std::array<uint64_t, kMaxRegions> kRegionBytes{sizeof(uint64_t), sizeof(uint64_t), 0,
                                                         sizeof(uint32_t)};

}  // namespace

/// Checks a description region by region and maps each of its files once.
class QueueMemory::Builder {
  public:
    Builder(const Description& description, const Demand& demand)
        : description_(description),
          demand_(demand),
          regionCount_(std::min(description.grantors.size(), kMaxRegions)) {}

    Result<QueueMemory> build() {
        VNPU_TRY(checkWords());
        for (size_t i = 0; i < regionCount_; ++i) {
            VNPU_TRY(checkRegion(i));
        }
        for (size_t i = 0; i < regionCount_; ++i) {
            for (size_t j = 0; j < i; ++j) {
                if (extents_[i].overlaps(extents_[j])) {
                    return failure("the queue's {} overlaps its {}", kRegionNames[i],
                                   kRegionNames[j]);
                }
            }
        }
        return map();
    }

  private:
    Result<void> checkWords() const {
        if (description_.flags != static_cast<int32_t>(demand_.flavor)) {
            return failure("the queue has flavor {}, expected {}", description_.flags,
                           static_cast<int32_t>(demand_.flavor));
        }
        if (description_.quantum != demand_.messageBytes) {
            return failure("the queue's messages have {} bytes, expected {}", description_.quantum,
                           demand_.messageBytes);
        }
        if (regionCount_ <= kRing) {
            return failure("the queue has {} regions, expected 3 or 4", regionCount_);
        }
        return checkHandle(description_.handle);
    }

    Result<void> checkRegion(size_t index) {
        const GrantorDescriptor& grantor = description_.grantors[index];
        const char* const name = kRegionNames[index];
        if (grantor.fdIndex >= static_cast<uint32_t>(description_.handle->numFds)) {
            return failure("the queue's {} lies in fd {} of {}", name, grantor.fdIndex,
                           description_.handle->numFds);
        }
        const size_t alignment = index == kRing ? std::max(sizeof(uint64_t), demand_.alignmentBytes)
                                                : sizeof(uint64_t);
        if (grantor.offset % alignment != 0) {
            return failure("the queue's {} lies at {}, expected a multiple of {}", name,
                           grantor.offset, alignment);
        }
        const bool isRing = index == kRing;
        if (isRing ? grantor.extent == 0 || grantor.extent > kMaxRingBytes ||
                             grantor.extent % demand_.messageBytes != 0
                   : grantor.extent < kRegionBytes[index]) {
            return failure("the queue's {} has {} bytes, expected {}", name, grantor.extent,
                           isRing ? fmt::format("a multiple of {} up to {}", demand_.messageBytes,
                                                kMaxRingBytes)
                                  : fmt::format("{}", kRegionBytes[index]));
        }
        return checkFile(index, isRing ? grantor.extent : kRegionBytes[index]);
    }

    Result<void> checkFile(size_t index, uint64_t sizeBytes) {
        const GrantorDescriptor& grantor = description_.grantors[index];
        const int fd = description_.handle->data[grantor.fdIndex];
        const auto fileBytes = sealedFileBytes(fd);
        if (!fileBytes) {
            return failure("the queue's {}: {}", kRegionNames[index], fileBytes.error());
        }
        struct stat file {};
        if (fstat(fd, &file) != 0) {
            return failure("the queue's fd {} cannot be examined: {}", fd, std::strerror(errno));
        }
        Extent& extent = extents_[index];
        extent = {file.st_dev, file.st_ino, grantor.offset, grantor.offset + sizeBytes};
        if (extent.end > *fileBytes) {
            return failure("the queue's {} ends at {} of a file of {} bytes", kRegionNames[index],
                           extent.end, *fileBytes);
        }
        return {};
    }

    /// Maps all regions of one file together. They may be far apart, but address space is
    /// plentiful.
    Result<void> mapFile(uint32_t fdIndex, QueueMemory& memory) {
        uint64_t begin = UINT64_MAX;
        uint64_t end = 0;
        for (size_t i = 0; i < regionCount_; ++i) {
            if (description_.grantors[i].fdIndex == fdIndex) {
                begin = std::min(begin, extents_[i].begin);
                end = std::max(end, extents_[i].end);
            }
        }
        if (end == 0) {
            return {};
        }
        const int fd = description_.handle->data[fdIndex];
        const auto map = [&](int protection) {
            return MappedFile::FromFd(fd, static_cast<off64_t>(begin), end - begin, protection);
        };
        auto file = map(PROT_READ | PROT_WRITE);
        if (file == nullptr && (errno == EPERM || errno == EACCES) &&
            demand_.flavor == android::hardware::kUnsynchronizedWrite) {
            memory.isWritable_ = false;
            file = map(PROT_READ);
        }
        if (file == nullptr) {
            return failure("the queue's fd {} cannot be mapped: {}", fd, std::strerror(errno));
        }
        for (size_t i = 0; i < regionCount_; ++i) {
            if (description_.grantors[i].fdIndex == fdIndex) {
                addresses_[i] =
                        reinterpret_cast<uint8_t*>(file->data()) + (extents_[i].begin - begin);
            }
        }
        memory.files_.push_back(std::move(file));
        return {};
    }

    Result<QueueMemory> map() {
        QueueMemory memory;
        memory.isWritable_ = true;
        memory.orderTag_ = extents_[kRing].inode;
        for (uint32_t i = 0; i < static_cast<uint32_t>(description_.handle->numFds); ++i) {
            VNPU_TRY(mapFile(i, memory));
        }
        memory.readCounter_ = reinterpret_cast<std::atomic<uint64_t>*>(addresses_[kReadCounter]);
        memory.writeCounter_ = reinterpret_cast<std::atomic<uint64_t>*>(addresses_[kWriteCounter]);
        memory.ring_ = addresses_[kRing];
        memory.ringBytes_ = extents_[kRing].end - extents_[kRing].begin;
        if (regionCount_ > kEventFlag && memory.isWritable_) {
            memory.eventFlagWord_ =
                    reinterpret_cast<std::atomic<uint32_t>*>(addresses_[kEventFlag]);
        }
        return memory;
    }

    const Description& description_;
    const Demand& demand_;
    const size_t regionCount_;
    std::array<Extent, kMaxRegions> extents_{};
    std::array<uint8_t*, kMaxRegions> addresses_{};
};

Result<QueueMemory> QueueMemory::map(const Description& description, const Demand& demand) {
    return Builder(description, demand).build();
}

#ifdef __SANITIZE_THREAD__
namespace {
std::array<char, 1024> orderTags;  // chosen: more than there are queues; a shared tag hides races
}

void QueueMemory::acquire() const {
    __tsan_acquire(&orderTags[orderTag_ % orderTags.size()]);
}

void QueueMemory::release() const {
    __tsan_release(&orderTags[orderTag_ % orderTags.size()]);
}
#endif

Result<NewQueue> createQueue(NewQueueOptions options) {
    if (options.messageCount == 0 ||
        options.messageCount > QueueMemory::kMaxRingBytes / options.messageBytes) {
        return failure("a queue of {} messages of {} bytes cannot be created", options.messageCount,
                       options.messageBytes);
    }
    const uint64_t ringBytes = options.messageCount * options.messageBytes;
    const bool isApart = options.ringFile.get() >= 0;
    NewQueue queue;
    queue.grantors = android::hardware::details::layOutQueue(
            isApart ? 0 : ringBytes, options.hasEventFlag,
            std::max(sizeof(uint64_t), options.alignmentBytes));
    const GrantorDescriptor& last = queue.grantors.back();
    const auto pageBytes = static_cast<size_t>(getpagesize());
    VNPU_TRY_ASSIGN(auto file,
                    createSealedFile("vnpu-queue", android::hardware::details::alignUp(
                                                           last.offset + last.extent, pageBytes)));
    if (isApart) {
        if (options.ringFileBytes < ringBytes) {
            return failure("a ring of {} bytes does not fit into a buffer of {}", ringBytes,
                           options.ringFileBytes);
        }
        queue.grantors[kRing] = {0, 1, 0, ringBytes};
    }
    queue.handle = native_handle_create(isApart ? 2 : 1, 0);
    if (queue.handle == nullptr) {
        return failure("no native handle could be created");
    }
    queue.handle->data[0] = file.release();
    if (isApart) {
        queue.handle->data[1] = options.ringFile.release();
    }
    return queue;
}

}  // namespace vnpu::hal
