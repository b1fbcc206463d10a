// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Loads a command stream into local memory block by block and frames its commands, including those
/// that span two blocks. A framed command is not read again, so that the driver cannot change it
/// after its validation. A branch target is framed again.
class CommandFetcher {
  public:
    explicit CommandFetcher(hw::ControllerPort& port) : port_(port) {}

    struct Stream {
        std::uint32_t context = 0;
        std::uint64_t address = 0;
        std::uint32_t sizeBytes = 0;
    };
    void start(const Stream& stream);

    /// Returns the next command, valid in local memory until the next call; its offset is that
    /// within the stream. kTruncatedStream at the end; otherwise a framing error, kMmuFault or
    /// kBusError.
    hw::JobStatus next(hw::CommandView& view);

    /// Continues at this offset, a multiple of 8; bytes in the buffer are not fetched again. False
    /// if the stream does not reach beyond it.
    bool seek(std::uint32_t offset);

    /// Offset in the stream of the command that next() will frame or failed to frame.
    std::uint32_t offset() const { return offset_; }

    bool isAtEnd() const { return offset_ == stream_.sizeBytes; }

  private:
    hw::JobStatus fetchBlock();
    void dropFramed();

    hw::ControllerPort& port_;
    Stream stream_;
    std::span<std::byte> buffer_;
    std::uint32_t begin_ = 0;    // within the buffer: first byte not yet framed
    std::uint32_t end_ = 0;      // within the buffer: end of the fetched bytes
    std::uint32_t offset_ = 0;   // within the stream: of begin_
    std::uint32_t fetched_ = 0;  // within the stream: of end_
    std::uint32_t blockBytes_ = 0;
};

}  // namespace vnpu::fw
