// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

namespace vnpu::sim {

// The messages of QEMU's "multi-process" protocol (x-pci-proxy-dev, QEMU 7.2) as a device receives
// them. All numbers are little endian.

/// A part of the guest's memory: `sizeBytes` of `file` from `offset` on.
struct GuestRegion {
    std::uint64_t address = 0;  // guest-physical
    std::uint64_t sizeBytes = 0;
    std::uint64_t offset = 0;
    android::base::unique_fd file;
};

/// SYNC_SYSMEM: these regions replace all earlier ones. Has no answer.
struct MemoryMapMessage {
    std::vector<GuestRegion> regions;
};

/// PCI_CFGREAD and PCI_CFGWRITE.
struct ConfigAccess {
    bool isWrite = false;
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    std::uint32_t sizeBytes = 0;
};

/// BAR_READ and BAR_WRITE.
struct BarAccess {
    bool isWrite = false;
    std::uint64_t address = 0;  // guest-physical
    std::uint64_t value = 0;
    std::uint32_t sizeBytes = 0;
};

/// SET_IRQFD: descriptors for KVM, which nobody reads under TCG. Has no answer.
struct InterruptDescriptors {};

/// DEVICE_RESET.
struct DeviceReset {};

using ProxyRequest =
        std::variant<MemoryMapMessage, ConfigAccess, BarAccess, InterruptDescriptors, DeviceReset>;

constexpr std::size_t kProxyHeaderBytes = 16;
constexpr std::size_t kMostProxyRegions = 8;  // source: QEMU 7.2, REMOTE_MAX_FDS
constexpr std::size_t kProxyAnswerBytes = kProxyHeaderBytes + 8;

/// Header of a message; the bytes of a body that follow it.
struct ProxyHeader {
    std::int32_t command = 0;
    std::size_t bodyBytes = 0;
};

/// Reads a header; an error for commands that a device does not get, and for any size of the body
/// other than the one of that command.
tl::expected<ProxyHeader, std::string> readProxyHeader(
        std::span<const std::byte, kProxyHeaderBytes> bytes);

/// Reads the message behind `header`, whose body has the header's size. An error if it has not as
/// many descriptors as its command needs. Addresses and sizes inside are not checked.
tl::expected<ProxyRequest, std::string> readProxyRequest(
        const ProxyHeader& header, std::span<const std::byte> body,
        std::vector<android::base::unique_fd> descriptors);

/// The answer to every request but those that have none.
std::array<std::byte, kProxyAnswerBytes> proxyAnswer(std::uint64_t value);

}  // namespace vnpu::sim
