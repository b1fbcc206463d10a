// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>
#include <vnpu/hal/hardware_buffer.h>
#include <vnpu/hal/shared_memory.h>

#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "tests/hal/hardware_buffer_support.h"
#include "tests/hal/test_support.h"

namespace {

using android::base::unique_fd;
using android::hardware::hidl_memory;
using vnpu::hal::decodeHardwareBuffer;
using vnpu::hal::MappedPool;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::descriptionOf;
using vnpu::hal::test::makeBuffer;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

// Positions in the ints of a handle; position 0 is the magic number of the format.
constexpr int kFormat = 1;
constexpr int kWidth = 2;
constexpr int kHeight = 3;
constexpr int kLayers = 4;
constexpr int kStride = 5;
constexpr int kUsageLow = 6;
constexpr int kSizeLow = 8;
constexpr int kSizeHigh = 9;

/// A copy of a buffer's handle that can be corrupted.
struct Handle {
    explicit Handle(const BufferPtr& buffer)
        : native(native_handle_clone(AHardwareBuffer_getNativeHandle(buffer.get()))) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (native != nullptr) {
            native->version = static_cast<int>(sizeof(native_handle_t));
            native->numFds = 1;
            native->numInts = 12;
            native_handle_close(native);
            native_handle_delete(native);
        }
    }

    int& at(int index) const { return native->data[1 + index]; }
    /// Replaces the descriptor of the handle.
    void replaceFd(unique_fd fd) const {
        close(native->data[0]);
        native->data[0] = fd.release();
    }

    native_handle_t* native;
};

unique_fd makeSealable(size_t sizeBytes) {
    unique_fd fd(memfd_create("vnpu-test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(ftruncate(fd.get(), static_cast<off_t>(sizeBytes)) == 0);
    return fd;
}

int createFrom(const AHardwareBuffer_Desc& desc, const native_handle_t* handle,
               int method = AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE) {
    AHardwareBuffer* buffer = nullptr;
    const int result = AHardwareBuffer_createFromHandle(&desc, handle, method, &buffer);
    AHardwareBuffer_release(buffer);
    return result;
}

TEST_SUITE_BEGIN("hal/hardware_buffer_handle");

TEST_CASE("a handle describes its buffer completely [MP-5]") {
    AHardwareBuffer_Desc desc = describeImage(AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM, 20, 4);
    desc.layers = 3;
    desc.usage |= AHARDWAREBUFFER_USAGE_VENDOR_19;
    const BufferPtr buffer = makeBuffer(desc);
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    CHECK(handle->numFds == 1);
    CHECK(handle->numInts == 12);
    const auto info = decodeHardwareBuffer(handle);
    REQUIRE(info);
    CHECK(info->desc.width == 20);
    CHECK(info->desc.height == 4);
    CHECK(info->desc.layers == 3);
    CHECK(info->desc.format == 4);
    CHECK(info->desc.usage == ((uint64_t{1} << 63) | 0x33));
    CHECK(info->desc.stride == 32);
    CHECK(info->layout.sizeBytes() == 32 * 2 * 4 * 3);
    uint64_t id = 0;
    REQUIRE(AHardwareBuffer_getId(buffer.get(), &id) == 0);
    CHECK(info->id == id);
}

TEST_CASE("hostile handles are refused everywhere, and nothing stays open [MP-5]") {
    struct Mutation {
        const char* what;
        std::function<void(const Handle&)> mutate;
    };
    const std::vector<Mutation> table = {
            {"version 0", [](const Handle& h) { h.native->version = 0; }},
            {"version -1", [](const Handle& h) { h.native->version = -1; }},
            {"no fd", [](const Handle& h) { h.native->numFds = 0; }},
            {"fds below none", [](const Handle& h) { h.native->numFds = -1; }},
            {"two fds", [](const Handle& h) { h.native->numFds = 2; }},
            {"fds without end", [](const Handle& h) { h.native->numFds = INT32_MAX; }},
            {"no ints", [](const Handle& h) { h.native->numInts = 0; }},
            {"an int too few", [](const Handle& h) { h.native->numInts = 11; }},
            {"ints below none", [](const Handle& h) { h.native->numInts = -1; }},
            {"ints without end", [](const Handle& h) { h.native->numInts = INT32_MAX; }},
            {"other mark", [](const Handle& h) { h.at(0) ^= 1; }},
            {"format 0", [](const Handle& h) { h.at(kFormat) = 0; }},
            {"format -1", [](const Handle& h) { h.at(kFormat) = -1; }},
            {"wider format", [](const Handle& h) { h.at(kFormat) = 0x16; }},
            {"format BLOB", [](const Handle& h) { h.at(kFormat) = 0x21; }},
            {"format YUV", [](const Handle& h) { h.at(kFormat) = 0x23; }},
            {"format not served", [](const Handle& h) { h.at(kFormat) = 0x32315659; }},
            {"width 0", [](const Handle& h) { h.at(kWidth) = 0; }},
            {"width beyond stride", [](const Handle& h) { h.at(kWidth) = 33; }},
            {"width -1", [](const Handle& h) { h.at(kWidth) = -1; }},
            {"height 0", [](const Handle& h) { h.at(kHeight) = 0; }},
            {"a row more", [](const Handle& h) { h.at(kHeight) = 5; }},
            {"height -1", [](const Handle& h) { h.at(kHeight) = -1; }},
            {"layers 0", [](const Handle& h) { h.at(kLayers) = 0; }},
            {"a layer more", [](const Handle& h) { h.at(kLayers) = 2; }},
            {"layers -1", [](const Handle& h) { h.at(kLayers) = -1; }},
            {"stride 0", [](const Handle& h) { h.at(kStride) = 0; }},
            {"stride below width", [](const Handle& h) { h.at(kStride) = 19; }},
            {"a longer stride", [](const Handle& h) { h.at(kStride) = 33; }},
            {"stride -1", [](const Handle& h) { h.at(kStride) = -1; }},
            {"size overflows to the same",
             [](const Handle& h) {
                 h.at(kHeight) = 1 << 30;  // times 4 layers times 128 bytes: 0 modulo 2^32
                 h.at(kLayers) = 4;
                 h.at(kSizeLow) = 0;
             }},
            {"usage of no image", [](const Handle& h) { h.at(kUsageLow) |= 1 << 24; }},
            {"protected", [](const Handle& h) { h.at(kUsageLow) = 1 << 14; }},
            {"size 0", [](const Handle& h) { h.at(kSizeLow) = 0; }},
            {"a byte less", [](const Handle& h) { h.at(kSizeLow) -= 1; }},
            {"a byte more", [](const Handle& h) { h.at(kSizeLow) += 1; }},
            {"size beyond 32 bits", [](const Handle& h) { h.at(kSizeHigh) = 1; }},
            {"size below 0", [](const Handle& h) { h.at(kSizeHigh) = -1; }},
            {"rows beyond the memory",
             [](const Handle& h) {
                 h.at(kHeight) = 8;
                 h.at(kSizeLow) = 1024;
             }},
            {"closed fd", [](const Handle& h) { h.replaceFd(unique_fd()); }},
            {"fd of no file", [](const Handle& h) { h.replaceFd(unique_fd(INT32_MAX)); }},
            {"smaller memory", [](const Handle& h) { h.replaceFd(makeSealable(511)); }},
            {"memory that cannot be sealed", [](const Handle& h) { h.replaceFd(makeFile(512)); }},
            {"sealed against the seal",
             [](const Handle& h) {
                 unique_fd fd = makeSealable(512);
                 REQUIRE(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SEAL) == 0);
                 h.replaceFd(std::move(fd));
             }},
            {"a device",
             [](const Handle& h) {
                 h.replaceFd(unique_fd(open("/dev/zero", O_RDWR | O_CLOEXEC)));
             }},
            {"a folder",
             [](const Handle& h) {
                 h.replaceFd(unique_fd(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
             }},
    };
    const BufferPtr buffer = makeImage();
    const AHardwareBuffer_Desc desc = descriptionOf(buffer);
    for (const Mutation& mutation : table) {
        CAPTURE(mutation.what);
        const size_t before = openFdCount();
        {
            const Handle handle(buffer);
            REQUIRE(decodeHardwareBuffer(handle.native));
            mutation.mutate(handle);
            CHECK_FALSE(decodeHardwareBuffer(handle.native));
            CHECK(createFrom(desc, handle.native) < 0);
            CHECK(createFrom(desc, handle.native,
                             AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER) < 0);
            CHECK_FALSE(MappedPool::create(hidl_memory("hardware_buffer", handle.native, 0)));
        }
        CHECK(openFdCount() == before);
    }
}

TEST_CASE("other memory with the right bytes is taken, and cannot shrink from then on [MP-5]") {
    const BufferPtr buffer = makeImage();
    const Handle handle(buffer);
    unique_fd memory = makeSealable(512);
    const unique_fd clientEnd(fcntl(memory.get(), F_DUPFD_CLOEXEC, 0));
    handle.replaceFd(std::move(memory));
    REQUIRE(decodeHardwareBuffer(handle.native));
    CHECK(ftruncate(clientEnd.get(), 0) != 0);
}

TEST_CASE("memory that may not be written is refused when it is mapped [MP-5]") {
    const BufferPtr buffer = makeImage();
    const Handle handle(buffer);
    unique_fd memory = makeSealable(512);
    REQUIRE(fcntl(memory.get(), F_ADD_SEALS, F_SEAL_WRITE) == 0);
    handle.replaceFd(std::move(memory));
    CHECK(createFrom(descriptionOf(buffer), handle.native) == -EPERM);
    CHECK_FALSE(MappedPool::create(hidl_memory("hardware_buffer", handle.native, 0)));
}

TEST_CASE("a clone shows the same bytes and outlives the handle [MP-5]") {
    BufferPtr buffer = makeImage();
    AHardwareBuffer_Desc desc = descriptionOf(buffer);
    desc.usage = AHARDWAREBUFFER_USAGE_CPU_READ_RARELY;
    AHardwareBuffer* cloned = nullptr;
    REQUIRE(AHardwareBuffer_createFromHandle(&desc, AHardwareBuffer_getNativeHandle(buffer.get()),
                                             AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE,
                                             &cloned) == 0);
    const BufferPtr clone(cloned);
    bytesOf(buffer)[511] = 77;
    buffer.reset();
    CHECK(descriptionOf(clone).usage == AHARDWAREBUFFER_USAGE_CPU_READ_RARELY);
    void* address = nullptr;
    REQUIRE(AHardwareBuffer_lock(clone.get(), AHARDWAREBUFFER_USAGE_CPU_READ_RARELY, -1, nullptr,
                                 &address) == 0);
    CHECK(static_cast<uint8_t*>(address)[511] == 77);
}

TEST_CASE("registering takes ownership of the handle only if it succeeds [MP-5]") {
    const BufferPtr buffer = makeImage();
    const AHardwareBuffer_Desc desc = descriptionOf(buffer);
    const size_t before = openFdCount();
    Handle handle(buffer);
    AHardwareBuffer_Desc other = desc;
    other.height = 3;
    CHECK(createFrom(other, handle.native, AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER) ==
          -EINVAL);
    CHECK(openFdCount() == before + 1);
    AHardwareBuffer* registered = nullptr;
    REQUIRE(AHardwareBuffer_createFromHandle(&desc, handle.native,
                                             AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER,
                                             &registered) == 0);
    CHECK(AHardwareBuffer_getNativeHandle(registered) == handle.native);
    handle.native = nullptr;
    AHardwareBuffer_release(registered);
    CHECK(openFdCount() == before);
}

TEST_CASE("a description must agree with the handle, and be whole [MP-5]") {
    const BufferPtr buffer = makeImage();
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    const AHardwareBuffer_Desc desc = descriptionOf(buffer);
    REQUIRE(createFrom(desc, handle) == 0);
    const std::vector<void (*)(AHardwareBuffer_Desc&)> mutations = {
            [](auto& d) { d.width -= 1; },
            [](auto& d) { d.height -= 1; },
            [](auto& d) { d.layers += 1; },
            [](auto& d) { d.format = AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM; },
            [](auto& d) { d.stride = d.width; },
            [](auto& d) { d.rfu0 = 1; },
            [](auto& d) { d.rfu1 = 1; },
            [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER; },
    };
    for (const auto& mutate : mutations) {
        AHardwareBuffer_Desc spoilt = desc;
        mutate(spoilt);
        CHECK(createFrom(spoilt, handle) == -EINVAL);
    }
    CHECK(createFrom(desc, handle, 0) == -EINVAL);
    CHECK(createFrom(desc, handle, 4) == -EINVAL);
    CHECK(createFrom(desc, nullptr) == -EINVAL);
    AHardwareBuffer* created = nullptr;
    CHECK(AHardwareBuffer_createFromHandle(nullptr, handle, 3, &created) == -EINVAL);
    CHECK(AHardwareBuffer_createFromHandle(&desc, handle, 3, nullptr) == -EINVAL);
}

TEST_CASE("a pool named hardware_buffer_blob is the BLOB's memory, in place [MP-4]") {
    const BufferPtr buffer = makeBuffer(describeBlob(5000));
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    const auto pool = MappedPool::create(hidl_memory("hardware_buffer_blob", handle, 5000));
    REQUIRE(pool);
    CHECK(pool->size() == 5000);
    CHECK(pool->mappedBytes() == 8192);
    CHECK(pool->writable());
    CHECK_FALSE(pool->image());
    bytesOf(buffer)[4999] = 3;
    CHECK(pool->data()[4999] == std::byte{3});
}

TEST_CASE("the size of a BLOB's memory is that of the BLOB [MP-4]") {
    const BufferPtr buffer = makeBuffer(describeBlob(5000));
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    for (const size_t sizeBytes : {size_t{0}, size_t{4999}, size_t{5001}, SIZE_MAX}) {
        CHECK_FALSE(MappedPool::create(hidl_memory("hardware_buffer_blob", handle, sizeBytes)));
    }
}

TEST_CASE("a pool named hardware_buffer has a layout and size 0 [MP-5]") {
    const BufferPtr buffer = makeImage();
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    const auto pool = MappedPool::create(hidl_memory("hardware_buffer", handle, 0));
    REQUIRE(pool);
    CHECK(pool->size() == 512);
    REQUIRE(pool->image());
    CHECK(pool->image()->strideBytes == 128);
    CHECK(pool->image()->rowBytes == 80);
    CHECK_FALSE(MappedPool::create(hidl_memory("hardware_buffer", handle, 512)));
}

TEST_CASE("the kinds of pools are not mixed up [MP-4]") {
    const BufferPtr image = makeImage();
    const BufferPtr blob = makeBuffer(describeBlob(512));
    const auto reasonOf = [](const char* name, const BufferPtr& buffer, size_t sizeBytes) {
        const auto pool = MappedPool::create(
                hidl_memory(name, AHardwareBuffer_getNativeHandle(buffer.get()), sizeBytes));
        return pool ? std::string("mapped") : pool.error();
    };
    CHECK(reasonOf("hardware_buffer_blob", blob, 512) == "mapped");
    CHECK(reasonOf("hardware_buffer", image, 0) == "mapped");
    CHECK(reasonOf("hardware_buffer_blob", image, 512).find("format 0x1,") != std::string::npos);
    CHECK(reasonOf("hardware_buffer", blob, 0).find("format 0x21,") != std::string::npos);
    CHECK(reasonOf("ashmem", blob, 512) == "the handle has 1 fds and 12 ints, expected 1 and 0");
}

TEST_SUITE_END();

}  // namespace
