// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw_model/regs/command_reader.h"

namespace vnpu::test {

/// The transfer at this offset of a stream.
inline std::uint64_t bytesOfTransfer(std::span<const std::byte> commands, std::uint32_t offset) {
    hw::CommandReader reader(commands.subspan(offset));
    hw::CommandView command;
    REQUIRE(reader.next(command));
    REQUIRE(command.header->opcode == hw::Opcode::kDmaTransfer);
    const auto work = command.as<hw::DmaTransfer>();
    return std::uint64_t{work.rowBytes} * work.counts[0] * work.counts[1] * work.counts[2];
}

}  // namespace vnpu::test
