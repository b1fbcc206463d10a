// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "sim/bringup/bus_observer.h"

namespace vnpu::sim {

/// Writes one line per register access, DMA and change of the interrupt line, with the names of
/// registers and fields.
class AccessLog : public BusObserver {
  public:
    /// Throws InputError if the file cannot be opened.
    explicit AccessLog(const std::string& path);

    void registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                      bool isAnswered) override;
    void registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                         bool isAnswered) override;
    void memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                    bool isAnswered) override;
    void memoryWritten(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data,
                       bool isAnswered) override;
    void interruptLine(std::uint64_t time, bool isHigh) override;

    /// Throws std::runtime_error if not all lines could be written.
    void finish(std::uint64_t time) override;

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void line(std::uint64_t time, const std::string& text);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vnpu::sim
