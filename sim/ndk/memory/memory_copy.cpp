// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/memory/memory_copy.h"

#include <cstring>
#include <optional>

#include "driver/validation/operand_types.h"

namespace vnpu::sim::ndk {

namespace {

/// Bytes to copy from or into a memory; nothing if they follow from the other memory only.
std::optional<std::uint64_t> knownBytes(const Memory& memory) {
    if (memory.isDeviceBuffer()) {
        const auto bytes = memory.roles()->contentBytes();
        return bytes ? std::optional<std::uint64_t>(*bytes) : std::nullopt;
    }
    return memory.sizeBytes();
}

Result<void> checkTypes(const nn::V1_3::Operand& from, const nn::V1_3::Operand& to) {
    if (from.type != to.type || from.scale != to.scale || from.zeroPoint != to.zeroPoint ||
        from.extraParams != to.extraParams) {
        return badData("memory of {} cannot be copied into memory of {}", toString(from),
                       toString(to));
    }
    return {};
}

/// The shape that the target has afterwards; empty where neither memory has one.
Result<Dimensions> agree(const Memory& from, const Memory& to) {
    if (from.image() || to.image()) {
        return badData("memory is an image, expected bytes");
    }
    if (!to.isWritable()) {
        return badData("memory to copy into is not writable");
    }
    if (from.roles() != nullptr && !from.roles()->hasContents()) {
        return badData("memory to copy from has no contents");
    }
    Dimensions shape;
    if (to.roles() != nullptr) {
        shape = to.roles()->operand().dimensions;
        if (from.roles() != nullptr) {
            VNPU_TRY(checkTypes(from.roles()->operand(), to.roles()->operand()));
            VNPU_TRY_ASSIGN(shape,
                            asBadData(driver::combineDimensions(from.roles()->dimensions(), shape),
                                      "shapes of the memories"));
        }
        const auto bytes = driver::sizeOfData(to.roles()->operand().type, shape);
        if (bytes && from.roles() == nullptr && *bytes != from.sizeBytes()) {
            return badData("memory has {} bytes, expected the {} of the shape", from.sizeBytes(),
                           *bytes);
        }
    }
    const auto fromBytes = knownBytes(from);
    const auto toBytes = to.isDeviceBuffer() ? fromBytes : knownBytes(to);
    if (fromBytes && toBytes && *fromBytes != *toBytes) {
        return badData("{} bytes cannot be copied into a memory of {}", *fromBytes, *toBytes);
    }
    return shape;
}

Result<void> outcomeOf(android::hardware::Return<nn::V1_3::ErrorStatus> returned,
                       const char* call) {
    if (!returned.isOk()) {
        return failed(ANEURALNETWORKS_DEAD_OBJECT, "{}: {}", call, returned.description());
    }
    const nn::V1_3::ErrorStatus status = returned;
    if (status != nn::V1_3::ErrorStatus::NONE) {
        return failed(codeOf(status), "{}: the device answers {}", call, toString(status));
    }
    return {};
}

Result<void> copyFromDevice(const Memory& from, const Memory& to) {
    return outcomeOf(from.buffer().copyTo(to.borrow()), "copy from a device's memory");
}

Result<void> copyToDevice(const Memory& from, const Memory& to, const Dimensions& shape) {
    return outcomeOf(to.buffer().copyFrom(from.borrow(), shape), "copy to a device's memory");
}

Result<void> copyBetweenDevices(const Memory& from, const Memory& to, const Dimensions& shape) {
    VNPU_TRY_ASSIGN(const SharedMemory between,
                    Memory::ofHost(from.roles()->contentBytes().value_or(0)));
    VNPU_TRY(copyFromDevice(from, *between));
    return copyToDevice(*between, to, shape);
}

Result<void> copyBytes(const Memory& from, const Memory& to, const Dimensions& shape) {
    if (from.isDeviceBuffer() && to.isDeviceBuffer()) {
        return copyBetweenDevices(from, to, shape);
    }
    if (from.isDeviceBuffer()) {
        return copyFromDevice(from, to);
    }
    if (to.isDeviceBuffer()) {
        return copyToDevice(from, to, shape);
    }
    std::memmove(to.bytes(), from.bytes(), from.sizeBytes());
    return {};
}

}  // namespace

Result<void> copyMemory(const Memory& from, const Memory& to) {
    if (&from == &to) {
        return {};
    }
    if (to.roles() != nullptr) {
        // Noted later, it would count as the last one to write.
        to.roles()->noteWriterEnd();
    }
    VNPU_TRY_ASSIGN(const Dimensions shape, agree(from, to));
    auto copied = copyBytes(from, to, shape);
    if (to.roles() != nullptr) {
        if (copied) {
            to.roles()->setContents(shape);
        } else {
            to.roles()->invalidate();
        }
    }
    return copied;
}

}  // namespace vnpu::sim::ndk
