// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "driver/port/device_port.h"
#include "sim/linux_port/raw_device.h"
#include "sim/platform/worker_pool.h"

namespace vnpu::sim {

/// The device port on the raw node of the kernel driver (driver/linux). Host threads are ordinary
/// threads. Time is the device's cycle counter, so that a simulated device that is slower than wall
/// time meets the driver's time limits; waits poll it. There is no window of resident memory.
class LinuxPort : public driver::DevicePort {
  public:
    /// Throws InputError if the node cannot be opened.
    explicit LinuxPort(const std::string& path);
    ~LinuxPort() override;

    std::uint32_t read32(std::uint32_t offset) override { return device_.read32(offset); }
    void write32(std::uint32_t offset, std::uint32_t value) override {
        device_.write32(offset, value);
    }
    driver::Result<driver::DmaBuffer> allocateDma(std::uint64_t sizeBytes) override;
    void freeDma(const driver::DmaBuffer& buffer) override;
    driver::Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) override;
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    std::vector<driver::BusRange> busRanges(std::uint64_t busAddress,
                                            std::uint64_t sizeBytes) override;
    std::byte* mapWindow(std::uint64_t /*busAddress*/, std::uint64_t /*sizeBytes*/) override {
        return nullptr;
    }
    void setInterruptHandler(std::function<void()> handler) override;
    std::unique_ptr<driver::HostEvent> createEvent() override;
    [[nodiscard]] driver::Result<void> post(std::function<void()> work) override {
        return workers_.post(std::move(work));
    }
    std::chrono::nanoseconds now() override;
    void chargeHost(driver::HostWork /*work*/) override {}

    /// Waits until posted work has ended. Not from posted work.
    void drain() { workers_.drain(); }

  private:
    class Event;

    std::uint64_t addBlock(RawDevice::Block block, bool isContiguous);
    void freeBlock(std::uint64_t address);
    void serveInterrupts();

    RawDevice device_;
    const std::uint64_t clockKhz_;
    std::mutex clockMutex_;                             // the two halves of CYCLE_COUNTER
    std::mutex memoryMutex_;                            // guards the next two
    std::map<std::uint64_t, RawDevice::Block> blocks_;  // by address
    std::uint64_t nextName_;
    std::mutex handlerMutex_;  // guards the next two
    std::function<void()> handler_;
    bool isHandlerRunning_ = false;
    std::condition_variable handlerEnded_;
    WorkerPool workers_;
    std::thread interruptThread_;
};

}  // namespace vnpu::sim
