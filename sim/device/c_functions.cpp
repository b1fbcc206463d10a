// SPDX-License-Identifier: Apache-2.0
#include "sim/device/vnpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "hw_model/regs/register_map.h"
#include "sim/device/library.h"

using vnpu::sim::fail;
using vnpu::sim::Library;
using vnpu::sim::Simulation;

namespace {

static_assert(VNPU_NEVER == Simulation::kNever);

constexpr const char* kStatusNames[] = {
        "VNPU_OK",           "VNPU_INVALID_ARGUMENT", "VNPU_BAD_CONFIG",  "VNPU_TOO_LATE",
        "VNPU_WRONG_THREAD", "VNPU_REENTERED",        "VNPU_NO_REGISTER", "VNPU_OUT_OF_MEMORY",
        "VNPU_IO_ERROR",     "VNPU_INTERNAL_ERROR"};
static_assert(std::size(kStatusNames) == VNPU_INTERNAL_ERROR + 1);

vnpu_status failNull(const char* argument) {
    return fail(VNPU_INVALID_ARGUMENT, fmt::format("{} is null", argument));
}

/// The options of the caller's version of the header; fields that it does not have are zero.
vnpu_status copyOptions(const vnpu_options& given, vnpu_options& options) {
    constexpr std::size_t kFirstVersionBytes = sizeof(vnpu_options);
    const std::size_t size = given.struct_size;
    const auto* const bytes = reinterpret_cast<const char*>(&given);
    if (size < kFirstVersionBytes) {
        return fail(VNPU_INVALID_ARGUMENT,
                    fmt::format("struct_size is {}, expected sizeof(vnpu_options), at least {}",
                                size, kFirstVersionBytes));
    }
    // chosen: a bound for sizes that no version has, such as those of memory that was never set
    constexpr std::size_t kMostBytes = 4096;
    if (size > kMostBytes ||
        std::any_of(bytes + sizeof(options), bytes + std::max(size, sizeof(options)),
                    [](char byte) { return byte != 0; })) {
        return fail(VNPU_INVALID_ARGUMENT,
                    fmt::format("struct_size is {} with options that this version of the library "
                                "does not have, expected {}",
                                size, sizeof(options)));
    }
    std::memcpy(&options, bytes, sizeof(options));
    return VNPU_OK;
}

vnpu_status failAccess(std::uint32_t offset, bool isWrite) {
    namespace regs = vnpu::hw::regs;
    const regs::RegisterSpec* const spec = regs::findRegister(offset).spec;
    if (spec == nullptr) {
        return fail(VNPU_NO_REGISTER, fmt::format("there is no register at offset 0x{:x}", offset));
    }
    return fail(VNPU_NO_REGISTER,
                fmt::format("register {} at offset 0x{:x} is {}", spec->name, offset,
                            offset >= regs::kControllerOnlyBase ? "the controller's own"
                            : isWrite                           ? "read-only"
                                                                : "write-only"));
}

/// Refuses an offset that is not a multiple of four; the device's observers see the access.
vnpu_status failMisaligned(vnpu_device& device, std::uint32_t offset, bool isWrite,
                           std::uint32_t value) {
    device.reportMisaligned(offset, isWrite, value);
    return fail(VNPU_INVALID_ARGUMENT,
                fmt::format("offset is 0x{:x}, expected a multiple of 4", offset));
}

vnpu_status moveResident(vnpu_device* device, bool isWrite, std::uint64_t offset, void* data,
                         std::uint64_t size) {
    return Library::instance().call(device, [&] {
        const std::uint64_t bytes = device->residentBytes();
        if (data == nullptr && size != 0) {
            return failNull("data");
        }
        if (offset > bytes || size > bytes - offset) {
            return fail(VNPU_INVALID_ARGUMENT,
                        fmt::format("offset is {} and size is {}, expected a range within the {} "
                                    "bytes of resident memory",
                                    offset, size, bytes));
        }
        device->moveResident(isWrite, offset, data, size);
        return VNPU_OK;
    });
}

vnpu_status advance(std::uint64_t picoseconds, bool untilInterrupt) {
    Library& library = Library::instance();
    return library.call([&] { return library.advance(picoseconds, untilInterrupt); });
}

}  // namespace

extern "C" {

uint32_t vnpu_api_version(void) {
    return VNPU_DEVICE_API_VERSION;
}

const char* vnpu_last_error(void) {
    return vnpu::sim::lastError();
}

const char* vnpu_status_name(vnpu_status status) {
    const auto index = static_cast<std::size_t>(status);
    return index < std::size(kStatusNames) ? kStatusNames[index] : "unknown status";
}

vnpu_status vnpu_device_create(const vnpu_options* options, vnpu_device** device) {
    if (device == nullptr) {
        return failNull("device");
    }
    *device = nullptr;
    if (options == nullptr) {
        return failNull("options");
    }
    Library& library = Library::instance();
    library.claim();
    const vnpu_status created = library.call([&] {
        vnpu_options copy{};
        const vnpu_status status = copyOptions(*options, copy);
        return status == VNPU_OK ? library.create(copy, *device) : status;
    });
    library.disclaim();
    return created;
}

void vnpu_device_destroy(vnpu_device* device) {
    if (device != nullptr) {
        Library::instance().destroy(device);
    }
}

vnpu_status vnpu_device_read32(vnpu_device* device, uint32_t offset, uint32_t* value) {
    return Library::instance().call(device, [&] {
        if (value == nullptr) {
            return failNull("value");
        }
        *value = 0xFFFFFFFF;
        if (offset % 4 != 0) {
            return failMisaligned(*device, offset, false, 0);
        }
        return device->read(offset, *value) ? VNPU_OK : failAccess(offset, false);
    });
}

vnpu_status vnpu_device_write32(vnpu_device* device, uint32_t offset, uint32_t value) {
    Library& library = Library::instance();
    return library.call(device, [&] {
        if (offset % 4 != 0) {
            return failMisaligned(*device, offset, true, value);
        }
        if (!device->write(offset, value)) {
            return failAccess(offset, true);
        }
        // A host that acknowledges an interrupt must find the line low afterwards.
        return device->isInterruptDue() ? library.advance(0, false) : VNPU_OK;
    });
}

uint32_t vnpu_device_register_bytes(const vnpu_device* device) {
    return Library::instance().mayRead(device) ? vnpu::hw::regs::kWindowBytes : 0;
}

vnpu_status vnpu_device_read_resident(vnpu_device* device, uint64_t offset, void* data,
                                      uint64_t size) {
    return moveResident(device, false, offset, data, size);
}

vnpu_status vnpu_device_write_resident(vnpu_device* device, uint64_t offset, const void* data,
                                       uint64_t size) {
    return moveResident(device, true, offset, const_cast<void*>(data), size);
}

vnpu_status vnpu_device_unmap(vnpu_device* device, uint64_t address, uint64_t size) {
    return Library::instance().call(device, [&] {
        device->unmap(address, size);
        return VNPU_OK;
    });
}

int vnpu_device_irq(const vnpu_device* device) {
    return Library::instance().mayRead(device) && device->isLineHigh() ? 1 : 0;
}

vnpu_status vnpu_device_reset(vnpu_device* device) {
    Library& library = Library::instance();
    return library.call(device, [&] {
        device->powerCycle();
        return device->isInterruptDue() ? library.advance(0, false) : VNPU_OK;
    });
}

vnpu_status vnpu_device_dump(vnpu_device* device, char* text, size_t size, size_t* needed) {
    return Library::instance().call(device, [&] {
        if (text == nullptr && size != 0) {
            return failNull("text");
        }
        const std::string state = device->stateText();
        if (needed != nullptr) {
            *needed = state.size() + 1;
        }
        if (size != 0) {
            text[state.copy(text, size - 1)] = '\0';
        }
        return VNPU_OK;
    });
}

uint64_t vnpu_device_lint_count(const vnpu_device* device) {
    return Library::instance().mayRead(device) ? device->mistakes() : 0;
}

vnpu_status vnpu_advance(uint64_t picoseconds) {
    return advance(picoseconds, false);
}

vnpu_status vnpu_advance_to_interrupt(uint64_t picoseconds) {
    return advance(picoseconds, true);
}

uint64_t vnpu_now(void) {
    return Library::instance().isOwnThread() ? Simulation::now() : 0;
}

uint64_t vnpu_next_event(void) {
    Library& library = Library::instance();
    return library.isOwnThread() ? library.untilNextEvent() : VNPU_NEVER;
}

}  // extern "C"
