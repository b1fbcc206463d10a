// SPDX-License-Identifier: Apache-2.0
#include "sim/linux_port/raw_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "driver/linux/include/uapi/vnpu_uapi.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/registers.h"
#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

using driver::ErrorStatus;

tl::unexpected<driver::Error> noMemory(const char* what, std::uint64_t sizeBytes) {
    // EINVAL is the driver's limit of one block; everything else may change.
    const auto status = errno == EINVAL ? ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT
                                        : ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT;
    return driver::fail(status, fmt::format("the kernel driver cannot {} {} bytes: {}", what,
                                            sizeBytes, std::strerror(errno)));
}

std::uint64_t addressOf(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
}

}  // namespace

RawDevice::RawDevice(const std::string& path)
    : file_(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) {
        throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    }
    vnpu_raw_info info{};
    void* mapped = MAP_FAILED;
    if (ioctl(file_, VNPU_IOC_RAW_INFO, &info) == 0 &&
        info.register_bytes >= hw::regs::kControllerOnlyBase) {
        mapped = mmap(nullptr, info.register_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    }
    stopEvent_ = eventfd(0, EFD_CLOEXEC);
    if (mapped == MAP_FAILED || stopEvent_ < 0) {
        close(file_);
        throw InputError(fmt::format("{}: is no raw node of the vnpu kernel driver", path));
    }
    registers_ = static_cast<volatile std::uint32_t*>(mapped);
    registerBytes_ = info.register_bytes;
}

RawDevice::~RawDevice() {
    munmap(const_cast<std::uint32_t*>(registers_), registerBytes_);
    close(stopEvent_);
    close(file_);
}

std::uint32_t RawDevice::read32(std::uint32_t offset) const {
    const std::uint32_t value = registers_[offset / sizeof(std::uint32_t)];
    __atomic_thread_fence(__ATOMIC_SEQ_CST);  // memory that the device wrote before is read after
    return value;
}

void RawDevice::write32(std::uint32_t offset, std::uint32_t value) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);  // the device sees what was written before
    registers_[offset / sizeof(std::uint32_t)] = value;
}

driver::Result<RawDevice::Block> RawDevice::allocate(std::uint64_t sizeBytes, bool isContiguous) {
    Block block;
    block.pages.resize(sizeBytes / hw::kPageBytes);
    vnpu_raw_alloc args{};
    args.size = sizeBytes;
    args.pages = addressOf(block.pages.data());
    args.flags = isContiguous ? VNPU_RAW_CONTIGUOUS : 0;
    if (ioctl(file_, VNPU_IOC_RAW_ALLOC, &args) != 0) {
        return noMemory("allocate", sizeBytes);
    }
    block.handle = args.handle;
    void* const mapped = mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                              static_cast<off_t>(args.mmap_offset));
    if (mapped == MAP_FAILED) {
        const auto failure = noMemory("map", sizeBytes);
        free(block);
        return failure;
    }
    block.host = static_cast<std::byte*>(mapped);
    return block;
}

driver::Result<RawDevice::Block> RawDevice::pin(void* memory, std::uint64_t sizeBytes) {
    Block block;
    block.pages.resize(sizeBytes / hw::kPageBytes);
    vnpu_raw_pin args{};
    args.address = addressOf(memory);
    args.size = sizeBytes;
    args.pages = addressOf(block.pages.data());
    int failed = ioctl(file_, VNPU_IOC_RAW_PIN, &args);
    if (failed != 0 && errno == EFAULT) {
        args.flags = VNPU_RAW_READ_ONLY;
        failed = ioctl(file_, VNPU_IOC_RAW_PIN, &args);
    }
    if (failed != 0) {
        return noMemory("pin", sizeBytes);
    }
    block.handle = args.handle;
    return block;
}

void RawDevice::free(const Block& block) {
    if (block.host != nullptr) {
        munmap(block.host, block.pages.size() * hw::kPageBytes);
    }
    vnpu_raw_free args{};
    args.handle = block.handle;
    ioctl(file_, VNPU_IOC_RAW_FREE, &args);
}

bool RawDevice::waitForInterrupt() {
    for (;;) {
        pollfd files[] = {{stopEvent_, POLLIN, 0}, {file_, POLLIN, 0}};
        poll(files, std::size(files), -1);
        if (files[0].revents != 0 || (files[1].revents & (POLLERR | POLLHUP)) != 0) {
            return false;
        }
        std::uint32_t count = 0;
        if (read(file_, &count, sizeof(count)) == sizeof(count)) {
            return true;
        }
    }
}

void RawDevice::enableInterrupt() {
    const std::uint32_t one = 1;
    // Fails only if the device is gone, which waitForInterrupt() finds.
    static_cast<void>(write(file_, &one, sizeof(one)) == sizeof(one));
}

void RawDevice::stop() {
    eventfd_write(stopEvent_, 1);
}

}  // namespace vnpu::sim
