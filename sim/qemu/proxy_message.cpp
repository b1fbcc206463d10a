// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/proxy_message.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

namespace vnpu::sim {

static_assert(std::endian::native == std::endian::little, "messages are read as they arrive");

namespace {

using Descriptors = std::vector<android::base::unique_fd>;

// source: QEMU 7.2, enum MPQemuCmd
enum Command : std::int32_t {
    kSyncMemory = 0,
    kAnswer = 1,
    kConfigWrite = 2,
    kConfigRead = 3,
    kBarWrite = 4,
    kBarRead = 5,
    kSetInterruptDescriptors = 6,
    kReset = 7,
};

struct CommandRow {
    const char* name;
    bool isRequest;
    std::size_t bodyBytes;
    std::size_t leastDescriptors, mostDescriptors;
};

constexpr CommandRow kCommands[] = {
        {"SYNC_SYSMEM", true, std::size_t{3} * 8 * kMostProxyRegions, 0, kMostProxyRegions},
        {"RET", false, 8, 0, 0},
        {"PCI_CFGWRITE", true, 12, 0, 0},
        {"PCI_CFGREAD", true, 12, 0, 0},
        {"BAR_WRITE", true, 24, 0, 0},
        {"BAR_READ", true, 24, 0, 0},
        {"SET_IRQFD", true, 0, 2, 2},
        {"DEVICE_RESET", true, 0, 0, 0},
};

template <typename T>
T numberAt(std::span<const std::byte> bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.subspan(offset, sizeof(value)).data(), sizeof(value));
    return value;
}

MemoryMapMessage readMemoryMap(std::span<const std::byte> body, Descriptors descriptors) {
    MemoryMapMessage message;
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
        const auto column = [&](std::size_t number) {
            return numberAt<std::uint64_t>(body, (number * kMostProxyRegions + i) * 8);
        };
        message.regions.push_back({.address = column(0),
                                   .sizeBytes = column(1),
                                   .offset = column(2),
                                   .file = std::move(descriptors[i])});
    }
    return message;
}

}  // namespace

tl::expected<ProxyHeader, std::string> readProxyHeader(
        std::span<const std::byte, kProxyHeaderBytes> bytes) {
    const auto command = numberAt<std::int32_t>(bytes, 0);
    const auto bodyBytes = numberAt<std::uint64_t>(bytes, 8);
    if (command < 0 || command >= static_cast<std::int32_t>(std::size(kCommands)) ||
        !kCommands[command].isRequest) {
        return tl::unexpected(fmt::format("command {}, expected a request from 0 to {}", command,
                                          std::size(kCommands) - 1));
    }
    const CommandRow& row = kCommands[command];
    if (bodyBytes != row.bodyBytes) {
        return tl::unexpected(fmt::format("{} with a body of {} bytes, expected {}", row.name,
                                          bodyBytes, row.bodyBytes));
    }
    return ProxyHeader{command, row.bodyBytes};
}

tl::expected<ProxyRequest, std::string> readProxyRequest(const ProxyHeader& header,
                                                         std::span<const std::byte> body,
                                                         Descriptors descriptors) {
    const CommandRow& row = kCommands[header.command];
    if (descriptors.size() < row.leastDescriptors || descriptors.size() > row.mostDescriptors) {
        return tl::unexpected(fmt::format("{} with {} descriptors, expected {} to {}", row.name,
                                          descriptors.size(), row.leastDescriptors,
                                          row.mostDescriptors));
    }
    switch (header.command) {
        case kSyncMemory:
            return readMemoryMap(body, std::move(descriptors));
        case kConfigWrite:
        case kConfigRead:
            return ConfigAccess{.isWrite = header.command == kConfigWrite,
                                .address = numberAt<std::uint32_t>(body, 0),
                                .value = numberAt<std::uint32_t>(body, 4),
                                .sizeBytes = numberAt<std::uint32_t>(body, 8)};
        case kBarWrite:
        case kBarRead:
            return BarAccess{.isWrite = header.command == kBarWrite,
                             .address = numberAt<std::uint64_t>(body, 0),
                             .value = numberAt<std::uint64_t>(body, 8),
                             .sizeBytes = numberAt<std::uint32_t>(body, 16)};
        case kSetInterruptDescriptors:
            return InterruptDescriptors{};
        default:
            return DeviceReset{};
    }
}

std::array<std::byte, kProxyAnswerBytes> proxyAnswer(std::uint64_t value) {
    std::array<std::byte, kProxyAnswerBytes> bytes{};
    const std::int32_t command = kAnswer;
    const std::uint64_t bodyBytes = sizeof(value);
    std::memcpy(&bytes[0], &command, sizeof(command));
    std::memcpy(&bytes[8], &bodyBytes, sizeof(bodyBytes));
    std::memcpy(&bytes[16], &value, sizeof(value));
    return bytes;
}

}  // namespace vnpu::sim
