// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/command_writer.h"

#include <algorithm>
#include <cstring>

#include "hw_model/regs/check.h"

namespace vnpu::hw {

void CommandWriter::addRaw(Opcode opcode, const CommandContext& context, const void* payload,
                           std::size_t payloadBytes) {
    VNPU_CHECK(context.waits.size() <= kMaxWaits, "a command waits for each other engine once");
    const std::size_t sizeBytes = sizeof(CommandHeader) + payloadBytes;
    VNPU_CHECK(sizeBytes % 8 == 0 && sizeBytes <= kMaxCommandBytes,
               "payloads are declared as multiples of eight bytes that fit a command");

    CommandHeader header{};
    header.opcode = opcode;
    header.sizeBytes = static_cast<std::uint16_t>(sizeBytes);
    header.engine = context.engine;
    header.waitCount = static_cast<std::uint8_t>(context.waits.size());
    header.operation = context.operation;
    header.tile = context.tile;
    std::copy(context.waits.begin(), context.waits.end(), header.waits);

    const std::size_t start = bytes_.size();
    bytes_.resize(start + sizeBytes);
    std::memcpy(bytes_.data() + start, &header, sizeof(header));
    if (payloadBytes != 0) {
        std::memcpy(bytes_.data() + start + sizeof(header), payload, payloadBytes);
    }
    ++commandCount_;
}

}  // namespace vnpu::hw
