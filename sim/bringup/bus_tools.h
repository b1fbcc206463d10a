// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_observer.h"
#include "sim/bringup/lint.h"

namespace vnpu::sim {

/// What is wanted; files are none if empty.
struct BusToolOptions {
    bool isLinting = false;
    std::string accessLog = {};    // file
    std::string recordFile = {};   // file
    LintReport::Sink report = {};  // receives the lines of lint; empty: standard error
};

/// hw::Device::Options::onStaleTranslation for an observer, which may be null.
std::function<void(std::uint32_t context, std::uint64_t virtualAddress)> staleTranslationSink(
        BusObserver* observer);

/// The observers of one device's bus: checks, log of accesses, recording. Each observer sees every
/// event. Simulation thread.
class BusTools : public BusObserver {
  public:
    /// Throws InputError if a file cannot be opened.
    BusTools(const BusToolOptions& options, const hw::NpuConfig& config);

    /// To be attached to the bus; null if nothing is wanted.
    BusObserver* observer() { return tools_.empty() ? nullptr : this; }

    /// Mistakes that lint has found.
    std::uint64_t mistakes() const { return lint_ == nullptr ? 0 : lint_->mistakes(); }

    void registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                      bool isAnswered) override;
    void registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                         bool isAnswered) override;
    void memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                    bool isAnswered) override;
    void memoryWritten(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                       bool isAnswered) override;
    void interruptLine(std::uint64_t time, bool isHigh) override;
    void residentWritten(std::uint64_t time, std::uint64_t offset,
                         std::span<const std::byte> data) override;
    void powerCycled(std::uint64_t time) override;
    bool checksTranslations() const override;
    void staleTranslation(std::uint64_t time, std::uint32_t context,
                          std::uint64_t virtualAddress) override;
    void finish(std::uint64_t time) override;

  private:
    std::vector<std::unique_ptr<BusObserver>> tools_;
    const Lint* lint_ = nullptr;  // one of the tools, or none
};

}  // namespace vnpu::sim
