// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/device/vnpu_device.h"
#include "sim/qemu/card.h"

namespace vnpu::sim {

class PciFunction;

/// The device of the C library as a card. One at most in a process. One thread.
class DeviceCard : public Card {
  public:
    struct Options {
        std::string config;    // a shipped configuration or a file
        std::string settings;  // a file of settings and faults; empty: none
        std::string record;    // a file for all traffic; empty: none
        bool isLinting = false;
        std::function<void(const std::string&)> log;
    };

    /// Throws InputError for wrong options.
    explicit DeviceCard(const Options& options);
    ~DeviceCard() override;

    /// To whom DMA and the interrupt line go; before anything else is called but registerBytes()
    /// and residentBytes().
    void connect(PciFunction& function) { function_ = &function; }

    std::uint32_t registerBytes() const override;
    std::uint32_t residentBytes() const override { return residentBytes_; }
    // Each lets the time of an access on the bus pass.
    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    void readResident(std::uint32_t offset, std::span<std::byte> data) override;
    void writeResident(std::uint32_t offset, std::span<const std::byte> data) override;
    void reset() override;
    void unmap(std::uint64_t address, std::uint64_t sizeBytes) override;

    // Device time.
    std::chrono::nanoseconds now() const;
    std::chrono::nanoseconds nextEvent() const;
    void advance(std::chrono::nanoseconds time);

    /// Changes of the interrupt line so far.
    std::uint64_t interruptEdges() const { return interruptEdges_; }

  private:
    struct Callbacks;
    struct Destroy {
        void operator()(vnpu_device* device) const { vnpu_device_destroy(device); }
    };

    std::function<void(const std::string&)> log_;
    PciFunction* function_ = nullptr;
    std::uint64_t interruptEdges_ = 0;
    std::uint32_t residentBytes_ = 0;
    std::unique_ptr<vnpu_device, Destroy> device_;  // calls back until its end
};

}  // namespace vnpu::sim
