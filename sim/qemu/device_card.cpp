// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/device_card.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "hw_model/regs/registers.h"
#include "sim/base/error.h"
#include "sim/qemu/pci_function.h"

namespace vnpu::sim {

using std::chrono::nanoseconds;

namespace {

// chosen: about the time of a read across a PCI Express link
constexpr nanoseconds kBusAccess{500};
// chosen: later events need not be told apart
constexpr std::uint64_t kLongTime = 3600 * 1'000'000'000'000ULL;  // ps

/// For calls that fail only by a mistake of this program.
void checkCall(vnpu_status status) {
    if (status != VNPU_OK && status != VNPU_NO_REGISTER) {
        throw std::runtime_error(vnpu_last_error());
    }
}

const char* orNull(const std::string& text) {
    return text.empty() ? nullptr : text.c_str();
}

}  // namespace

struct DeviceCard::Callbacks {
    static PciFunction& function(void* user) { return *static_cast<DeviceCard*>(user)->function_; }

    static int dmaRead(void* user, std::uint64_t address, void* data, std::uint64_t size) {
        return function(user).read(address, {static_cast<std::byte*>(data), size}) ? 0 : 1;
    }
    static int dmaWrite(void* user, std::uint64_t address, const void* data, std::uint64_t size) {
        return function(user).write(address, {static_cast<const std::byte*>(data), size}) ? 0 : 1;
    }
    static void* dmaMap(void* user, std::uint64_t address, std::uint64_t* size) {
        const auto bytes = function(user).map(address);
        *size = bytes.size();
        return bytes.empty() ? nullptr : bytes.data();
    }
    static void irq(void* user, int level) {
        ++static_cast<DeviceCard*>(user)->interruptEdges_;
        function(user).setLine(level != 0);
    }
    static void log(void* user, const char* line) { static_cast<DeviceCard*>(user)->log_(line); }
};

DeviceCard::DeviceCard(const Options& options) : log_(options.log) {
    vnpu_options all{};
    all.struct_size = sizeof(all);
    all.config = options.config.c_str();
    all.flags = options.isLinting ? VNPU_LINT : 0;
    all.host.user = this;
    all.host.dma_read = Callbacks::dmaRead;
    all.host.dma_write = Callbacks::dmaWrite;
    all.host.irq = Callbacks::irq;
    all.host.dma_map = Callbacks::dmaMap;
    all.host.log = Callbacks::log;
    all.record = orNull(options.record);
    all.settings = orNull(options.settings);
    vnpu_device* device = nullptr;
    if (vnpu_device_create(&all, &device) != VNPU_OK) {
        throw InputError(vnpu_last_error());
    }
    device_.reset(device);
    std::uint32_t resident = 0;
    if (vnpu_device_read32(device, hw::regs::ConfigResident::kSpec.offset, &resident) == VNPU_OK) {
        residentBytes_ = hw::regs::ConfigResident::kKib.get(resident) << 10;
    }
}

DeviceCard::~DeviceCard() = default;

std::uint32_t DeviceCard::registerBytes() const {
    return vnpu_device_register_bytes(device_.get());
}

std::uint32_t DeviceCard::read32(std::uint32_t offset) {
    advance(kBusAccess);
    std::uint32_t value = 0;
    checkCall(vnpu_device_read32(device_.get(), offset, &value));
    return value;
}

void DeviceCard::write32(std::uint32_t offset, std::uint32_t value) {
    checkCall(vnpu_device_write32(device_.get(), offset, value));
    advance(kBusAccess);
}

void DeviceCard::readResident(std::uint32_t offset, std::span<std::byte> data) {
    advance(kBusAccess);
    checkCall(vnpu_device_read_resident(device_.get(), offset, data.data(), data.size()));
}

void DeviceCard::writeResident(std::uint32_t offset, std::span<const std::byte> data) {
    checkCall(vnpu_device_write_resident(device_.get(), offset, data.data(), data.size()));
    advance(kBusAccess);
}

void DeviceCard::reset() {
    checkCall(vnpu_device_reset(device_.get()));
}

void DeviceCard::unmap(std::uint64_t address, std::uint64_t sizeBytes) {
    checkCall(vnpu_device_unmap(device_.get(), address, sizeBytes));
}

nanoseconds DeviceCard::now() const {
    return nanoseconds(vnpu_now() / VNPU_PS_PER_NS);
}

nanoseconds DeviceCard::nextEvent() const {
    return nanoseconds((vnpu_now() + std::min(vnpu_next_event(), kLongTime)) / VNPU_PS_PER_NS);
}

void DeviceCard::advance(nanoseconds time) {
    checkCall(vnpu_advance(static_cast<std::uint64_t>(time.count()) * VNPU_PS_PER_NS));
}

}  // namespace vnpu::sim
