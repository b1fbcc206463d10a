// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <vnpu/registers.h>
#include <vnpu_device.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace vnpu::test {

/// A host of the C library: memory at kBase, and what its callbacks have seen.
class Host {
  public:
    static constexpr std::uint64_t kBase = 0x8000'0000;

    std::vector<std::byte> memory = std::vector<std::byte>(1 << 20);
    std::vector<int> edges;
    std::vector<std::string> lines;
    int reads = 0;
    int writes = 0;
    int maps = 0;
    std::function<void()> onRead = [] {};

    vnpu_options options(bool mayMap = false) {
        vnpu_options options{};
        options.struct_size = sizeof(options);
        options.host.user = this;
        options.host.dma_read = [](void* user, std::uint64_t address, void* data,
                                   std::uint64_t size) {
            Host& host = *static_cast<Host*>(user);
            ++host.reads;
            host.onRead();
            const std::byte* const at = host.find(address, size);
            if (at != nullptr) {
                std::memcpy(data, at, size);
            }
            return at == nullptr ? 1 : 0;
        };
        options.host.dma_write = [](void* user, std::uint64_t address, const void* data,
                                    std::uint64_t size) {
            Host& host = *static_cast<Host*>(user);
            ++host.writes;
            std::byte* const at = host.find(address, size);
            if (at != nullptr) {
                std::memcpy(at, data, size);
            }
            return at == nullptr ? 1 : 0;
        };
        options.host.irq = [](void* user, int level) {
            static_cast<Host*>(user)->edges.push_back(level);
        };
        options.host.log = [](void* user, const char* line) {
            static_cast<Host*>(user)->lines.emplace_back(line);
        };
        if (mayMap) {
            options.host.dma_map = [](void* user, std::uint64_t address,
                                      std::uint64_t* size) -> void* {
                Host& host = *static_cast<Host*>(user);
                ++host.maps;
                std::byte* const at = host.find(address, 1);
                *size = at == nullptr ? 0 : host.memory.size() - (address - kBase);
                return at;
            };
        }
        return options;
    }

    std::byte* find(std::uint64_t address, std::uint64_t size) {
        const std::uint64_t offset = address - kBase;
        return offset < memory.size() && size <= memory.size() - offset ? &memory[offset] : nullptr;
    }
};

inline vnpu_device* create(const vnpu_options& options) {
    vnpu_device* device = nullptr;
    const vnpu_status status = vnpu_device_create(&options, &device);
    CAPTURE(vnpu_last_error());
    REQUIRE(status == VNPU_OK);
    return device;
}

inline std::uint32_t read(vnpu_device* device, std::uint32_t offset) {
    std::uint32_t value = 0;
    REQUIRE(vnpu_device_read32(device, offset, &value) == VNPU_OK);
    return value;
}

inline void write(vnpu_device* device, std::uint32_t offset, std::uint32_t value) {
    REQUIRE(vnpu_device_write32(device, offset, value) == VNPU_OK);
}

/// Boots the firmware with its message as an interrupt.
inline void startBoot(Host& host, vnpu_device* device) {
    const std::uint32_t parameters[16] = {
            0x544F4F42, 64,         0x00010001,
            0x00020001, 0x00020004, read(device, VNPU_REG_COMMAND_STREAM_VERSION)};
    std::memcpy(host.memory.data(), parameters, sizeof(parameters));
    write(device, VNPU_REG_BOOT_PARAMETERS_LO, static_cast<std::uint32_t>(Host::kBase));
    write(device, VNPU_REG_BOOT_PARAMETERS_HI, 0);
    write(device, VNPU_REG_IRQ_MASK, VNPU_IRQ_STATUS_MESSAGE_MASK);
    write(device, VNPU_REG_CONTROL, 0);
    write(device, VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK);
}

inline std::uint32_t stateOf(vnpu_device* device) {
    return read(device, VNPU_REG_STATUS) & VNPU_STATUS_STATE_MASK;
}

inline constexpr std::uint64_t kMillisecond = 1'000'000 * VNPU_PS_PER_NS;

}  // namespace vnpu::test
