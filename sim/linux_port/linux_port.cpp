// SPDX-License-Identifier: Apache-2.0
#include "sim/linux_port/linux_port.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::sim {

using std::chrono::nanoseconds;

namespace {

namespace regs = hw::regs;

constexpr nanoseconds kUnlimited = nanoseconds::max();

/// Names of scattered memory: beyond all bus addresses, and aligned so that page tables can use
/// large pages.
constexpr std::uint64_t kFirstName = 1ULL << hw::kBusAddressBits;

/// Wall time between two looks at the device's clock. chosen: short enough for the shortest waits
/// of the driver, and rare enough for the longest
constexpr nanoseconds kFirstLook = std::chrono::microseconds(500);
constexpr nanoseconds kLongestLook = std::chrono::milliseconds(16);

constexpr std::uint64_t roundUpTo(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

/// An event for ordinary threads, in device time.
class LinuxPort::Event : public driver::HostEvent {
  public:
    explicit Event(LinuxPort& port) : port_(port) {}

    // Notifies under the lock, because the woken thread may destroy the event.
    void set() override {
        const std::lock_guard guard(mutex_);
        isSet_ = true;
        changed_.notify_all();
    }
    void reset() override {
        const std::lock_guard guard(mutex_);
        isSet_ = false;
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return isSet_; });
    }
    bool waitFor(nanoseconds timeout) override {
        std::unique_lock lock(mutex_);
        if (isSet_) {
            return true;
        }
        const nanoseconds start = port_.now();
        const nanoseconds end = timeout < kUnlimited - start ? start + timeout : kUnlimited;
        for (nanoseconds pause = kFirstLook; !isSet_ && port_.now() < end;
             pause = std::min(2 * pause, kLongestLook)) {
            changed_.wait_for(lock, pause, [this] { return isSet_; });
        }
        return isSet_;
    }

  private:
    LinuxPort& port_;
    std::mutex mutex_;  // guards isSet_
    std::condition_variable changed_;
    bool isSet_ = false;
};

LinuxPort::LinuxPort(const std::string& path)
    : device_(path),
      clockKhz_(std::max(device_.read32(regs::ConfigClock::kSpec.offset), 1U)),
      nextName_(kFirstName),
      interruptThread_([this] { serveInterrupts(); }) {}

LinuxPort::~LinuxPort() {
    workers_.drain();
    device_.stop();
    interruptThread_.join();
}

driver::Result<driver::DmaBuffer> LinuxPort::allocateDma(std::uint64_t sizeBytes) {
    const bool isContiguous = sizeBytes <= kContiguousBytes;
    VNPU_TRY_ASSIGN(auto block, device_.allocate(sizeBytes, isContiguous));
    std::byte* const host = block.host;
    return driver::DmaBuffer{host, addBlock(std::move(block), isContiguous), sizeBytes};
}

void LinuxPort::freeDma(const driver::DmaBuffer& buffer) {
    freeBlock(buffer.busAddress);
}

driver::Result<std::uint64_t> LinuxPort::mapDma(void* pages, std::uint64_t sizeBytes) {
    VNPU_TRY_ASSIGN(auto block, device_.pin(pages, sizeBytes));
    return addBlock(std::move(block), /*isContiguous=*/false);
}

void LinuxPort::unmapDma(std::uint64_t busAddress, std::uint64_t /*sizeBytes*/) {
    freeBlock(busAddress);
}

std::uint64_t LinuxPort::addBlock(RawDevice::Block block, bool isContiguous) {
    const std::lock_guard guard(memoryMutex_);
    std::uint64_t address = block.pages.front();
    if (!isContiguous) {
        address = nextName_;
        nextName_ += roundUpTo(block.pages.size() * hw::kPageBytes, hw::kLargePageBytes);
    }
    blocks_.emplace(address, std::move(block));
    return address;
}

void LinuxPort::freeBlock(std::uint64_t address) {
    const std::lock_guard guard(memoryMutex_);
    const auto block = blocks_.find(address);
    device_.free(block->second);
    blocks_.erase(block);
}

std::vector<driver::BusRange> LinuxPort::busRanges(std::uint64_t busAddress,
                                                   std::uint64_t sizeBytes) {
    if (busAddress < kFirstName) {
        return {{busAddress, sizeBytes}};
    }
    std::vector<driver::BusRange> ranges;
    const std::lock_guard guard(memoryMutex_);
    const auto& [start, block] = *std::prev(blocks_.upper_bound(busAddress));
    const std::uint64_t first = (busAddress - start) / hw::kPageBytes;
    for (std::uint64_t i = first; i < first + sizeBytes / hw::kPageBytes; ++i) {
        const std::uint64_t page = block.pages[i];
        if (!ranges.empty() && page == ranges.back().address + ranges.back().sizeBytes) {
            ranges.back().sizeBytes += hw::kPageBytes;
        } else {
            ranges.push_back({page, hw::kPageBytes});
        }
    }
    return ranges;
}

void LinuxPort::setInterruptHandler(std::function<void()> handler) {
    std::unique_lock lock(handlerMutex_);
    handler_ = std::move(handler);
    if (std::this_thread::get_id() != interruptThread_.get_id()) {
        handlerEnded_.wait(lock, [this] { return !isHandlerRunning_; });
    }
    if (handler_) {
        device_.enableInterrupt();
    }
}

void LinuxPort::serveInterrupts() {
    while (device_.waitForInterrupt()) {
        std::unique_lock lock(handlerMutex_);
        if (!handler_) {
            continue;  // the next handler enables the interrupt
        }
        const std::function<void()> handler = handler_;
        isHandlerRunning_ = true;
        lock.unlock();
        handler();
        device_.enableInterrupt();
        lock.lock();
        isHandlerRunning_ = false;
        handlerEnded_.notify_all();
    }
}

std::unique_ptr<driver::HostEvent> LinuxPort::createEvent() {
    return std::make_unique<Event>(*this);
}

nanoseconds LinuxPort::now() {
    constexpr std::uint64_t kNsPerMs = 1'000'000;
    std::uint64_t cycles = 0;
    {
        const std::lock_guard guard(clockMutex_);
        cycles = device_.read32(regs::CycleCounterLo::kSpec.offset);
        cycles |= std::uint64_t{device_.read32(regs::CycleCounterHi::kSpec.offset)} << 32;
    }
    // In two parts, so that the product does not overflow.
    return nanoseconds(cycles / clockKhz_ * kNsPerMs + cycles % clockKhz_ * kNsPerMs / clockKhz_);
}

}  // namespace vnpu::sim
