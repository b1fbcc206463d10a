// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/memory/memory.h"

#include <sys/stat.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace vnpu::sim::ndk {

using android::hardware::hidl_memory;

namespace {

std::uint64_t nextId() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

Memory::Memory() : id_(nextId()) {}

Memory::~Memory() {
    for (const std::weak_ptr<MemoryUser>& user : users_) {
        if (const auto present = user.lock()) {
            present->forget(id_);
        }
    }
}

Result<void> Memory::map() {
    auto mapping = hal::MappedPool::create(memory_);
    if (!mapping) {
        return failed(ANEURALNETWORKS_UNMAPPABLE, "memory cannot be mapped: {}", mapping.error());
    }
    mapping_ = std::move(*mapping);
    return {};
}

Result<SharedMemory> Memory::ofFile(const hal::FdRegion& region) {
    struct stat file {};
    const bool hasSize = ::fstat(region.fd, &file) == 0 && S_ISREG(file.st_mode);
    const auto fileBytes = static_cast<std::uint64_t>(file.st_size);
    if (hasSize &&
        (region.offsetBytes > fileBytes || region.sizeBytes > fileBytes - region.offsetBytes)) {
        return badData("{} bytes at {} of a file of {}", region.sizeBytes, region.offsetBytes,
                       fileBytes);
    }
    auto created = hal::createFdMemory(region);
    if (!created) {
        return badData("memory of a file: {}", created.error());
    }
    SharedMemory memory(new Memory);
    memory->memory_ = std::move(*created);
    VNPU_TRY(memory->map());
    return memory;
}

Result<SharedMemory> Memory::ofHardwareBuffer(const AHardwareBuffer& buffer) {
    // The reference count is the only part that changes.
    auto* referenced = const_cast<AHardwareBuffer*>(&buffer);
    AHardwareBuffer_acquire(referenced);
    SharedMemory memory(new Memory);
    memory->hardwareBuffer_.reset(referenced);
    AHardwareBuffer_Desc desc{};
    AHardwareBuffer_describe(&buffer, &desc);
    const bool isBlob = desc.format == AHARDWAREBUFFER_FORMAT_BLOB;
    memory->memory_ =
            hidl_memory(isBlob ? "hardware_buffer_blob" : "hardware_buffer",
                        android::hardware::hidl_handle(AHardwareBuffer_getNativeHandle(&buffer)),
                        isBlob ? desc.width : 0);
    VNPU_TRY(memory->map());
    return memory;
}

Result<SharedMemory> Memory::ofHost(std::uint64_t sizeBytes, std::unique_ptr<MemoryRoles> roles) {
    auto allocated = hal::createSharedMemory(sizeBytes);
    if (!allocated) {
        return failed(ANEURALNETWORKS_OUT_OF_MEMORY, "{} bytes of shared memory: {}", sizeBytes,
                      allocated.error());
    }
    SharedMemory memory(new Memory);
    memory->memory_ = std::move(*allocated);
    memory->roles_ = std::move(roles);
    VNPU_TRY(memory->map());
    return memory;
}

SharedMemory Memory::ofDevice(
        const android::sp<android::hardware::neuralnetworks::V1_3::IBuffer>& buffer,
        std::uint32_t token, std::unique_ptr<MemoryRoles> roles) {
    SharedMemory memory(new Memory);
    memory->buffer_ = buffer;
    memory->token_ = token;
    memory->roles_ = std::move(roles);
    return memory;
}

std::uint64_t Memory::sizeBytes() const {
    return image() ? image()->packedBytes() : mapping_ ? mapping_->size() : 0;
}

const std::optional<hal::HardwareBufferLayout>& Memory::image() const {
    static const std::optional<hal::HardwareBufferLayout> kNone;
    return mapping_ ? mapping_->image() : kNone;
}

hidl_memory Memory::borrow() const {
    return hidl_memory(memory_.name(), memory_.handle(), memory_.size());
}

void Memory::tellAtEnd(const std::weak_ptr<MemoryUser>& user) const {
    const std::lock_guard lock(mutex_);
    const bool isKnown = std::any_of(users_.begin(), users_.end(), [&](const auto& known) {
        return !known.owner_before(user) && !user.owner_before(known);
    });
    if (!isKnown) {
        std::erase_if(users_, [](const auto& known) { return known.expired(); });
        users_.push_back(user);
    }
}

}  // namespace vnpu::sim::ndk
