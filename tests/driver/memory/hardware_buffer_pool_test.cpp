// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tests/driver/support/service.h"
#include "tests/hal/hardware_buffer_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::hardware::hidl_memory;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::makeBuffer;

TEST_SUITE_BEGIN("driver/memory/hardware_buffer_pool");

namespace {

constexpr std::uint32_t kBufferBytes = 64;

/// The memory object that NNAPI creates for a buffer. It borrows the buffer's handle.
hidl_memory memoryOf(const BufferPtr& buffer) {
    const AHardwareBuffer_Desc desc = vnpu::hal::test::descriptionOf(buffer);
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    return desc.format == AHARDWAREBUFFER_FORMAT_BLOB
                   ? hidl_memory("hardware_buffer_blob", handle, desc.width)
                   : hidl_memory("hardware_buffer", handle, 0);
}

BufferPtr makePixels(std::uint32_t width, std::uint32_t height) {
    return makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, width, height));
}

/// From pool 0 to pool 1; of length 0 in a hardware_buffer, of kBufferBytes at `offset` elsewhere.
nn::V1_3::Request requestFor(const hidl_memory& input, const hidl_memory& output,
                             std::uint32_t offset = 0) {
    const auto argumentIn = [&](const hidl_memory& memory, std::uint32_t pool) {
        return memory.name() == "hardware_buffer" ? argument(pool, 0, 0)
                                                  : argument(pool, offset, kBufferBytes);
    };
    nn::V1_3::Request request;
    request.inputs = {argumentIn(input, 0)};
    request.outputs = {argumentIn(output, 1)};
    request.pools.resize(2);
    request.pools[0].hidlMemory(input);
    request.pools[1].hidlMemory(output);
    return request;
}

/// Bytes that RELU leaves unchanged.
void fill(std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::uint8_t>(3 * i + 1);
    }
}

/// RELU over kBufferBytes, on a separate service.
struct BufferRelu {
    BufferRelu() : prepared(service.prepare(reluModel({1, kBufferBytes}))) {
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    }

    Outcome execute(const nn::V1_3::Request& request) const {
        return executeSync(prepared.model, request);
    }

    Service service;
    PrepareOutcome prepared;
};

/// The sum of an input and the first 8 bytes of a pool.
nn::V1_3::Model addConstantModel(hidl_memory&& pool) {
    nn::V1_3::Model model = reluModel({1, 8});
    nn::V1_3::Operand constant = model.main.operands[0];
    constant.lifetime = nn::V1_3::OperandLifeTime::CONSTANT_REFERENCE;
    constant.location = {.poolIndex = 0, .offset = 0, .length = 8};
    nn::V1_3::Operand activation;
    activation.type = nn::V1_3::OperandType::INT32;
    activation.numberOfConsumers = 1;
    activation.lifetime = nn::V1_3::OperandLifeTime::CONSTANT_COPY;
    activation.location = {.poolIndex = 0, .offset = 0, .length = 4};
    model.main.operands = {model.main.operands[0], model.main.operands[1], constant, activation};
    model.main.operations = {
            {.type = nn::V1_3::OperationType::ADD, .inputs = {0, 2, 3}, .outputs = {1}}};
    model.operandValues = {0, 0, 0, 0};
    model.pools.resize(1);
    model.pools[0] = std::move(pool);
    return model;
}

/// A handle like that of a buffer, to be corrupted.
struct SpoiltHandle {
    explicit SpoiltHandle(const BufferPtr& buffer)
        : native(native_handle_clone(AHardwareBuffer_getNativeHandle(buffer.get()))) {}
    SpoiltHandle(const SpoiltHandle&) = delete;
    SpoiltHandle& operator=(const SpoiltHandle&) = delete;
    ~SpoiltHandle() {
        native->version = static_cast<int>(sizeof(native_handle_t));
        native->numFds = 1;
        native->numInts = 12;
        native_handle_close(native);
        native_handle_delete(native);
    }

    native_handle_t* native;
};

}  // namespace

TEST_CASE("BLOBs are used in place and give the bytes that ashmem gives [MP-4] [MP-6]") {
    const BufferRelu ready;
    const Pool input(kBufferBytes);
    const Pool output(kBufferBytes);
    const BufferPtr blobInput = makeBuffer(describeBlob(kBufferBytes));
    const BufferPtr blobOutput = makeBuffer(describeBlob(kBufferBytes));
    fill(input.bytes(), kBufferBytes);
    fill(bytesOf(blobInput), kBufferBytes);
    REQUIRE_EQ(ready.execute(requestOf(input, output, kBufferBytes)).status, ErrorStatus::NONE);

    const Outcome outcome = ready.execute(requestFor(memoryOf(blobInput), memoryOf(blobOutput)));

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(bytesOf(blobOutput)[kBufferBytes - 1], 3 * (kBufferBytes - 1) + 1);
    CHECK(std::equal(output.bytes(), output.bytes() + kBufferBytes, bytesOf(blobOutput)));
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("arguments lie anywhere in a BLOB, asynchronously too [MP-4]") {
    BufferRelu ready;
    const BufferPtr blob = makeBuffer(describeBlob(10'000));
    fill(bytesOf(blob) + 5001, kBufferBytes);
    const Pool output(6000);

    const Outcome outcome = executeAsync(ready.service, ready.prepared.model,
                                         requestFor(memoryOf(blob), output.memory, 5001));

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[5001 + 9], 28);
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("a buffer from another process's socket is a pool like others [MP-5] [MP-6]") {
    const BufferRelu ready;
    int ends[2] = {};
    REQUIRE_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const android::base::unique_fd here(ends[0]);
    const android::base::unique_fd there(ends[1]);
    const BufferPtr sent = makeBuffer(describeBlob(kBufferBytes));
    REQUIRE_EQ(AHardwareBuffer_sendHandleToUnixSocket(sent.get(), here.get()), 0);
    AHardwareBuffer* buffer = nullptr;
    REQUIRE_EQ(AHardwareBuffer_recvHandleFromUnixSocket(there.get(), &buffer), 0);
    const BufferPtr received(buffer);
    const Pool output(kBufferBytes);
    fill(bytesOf(sent), kBufferBytes);

    CHECK_EQ(ready.execute(requestFor(memoryOf(received), output.memory)).status,
             ErrorStatus::NONE);

    CHECK_EQ(output.bytes()[63], 190);
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("another execution with the same buffers maps nothing [MP-6]") {
    const BufferRelu ready;
    const BufferPtr input = makeBuffer(describeBlob(kBufferBytes));
    const BufferPtr output = makePixels(16, 1);
    const nn::V1_3::Request request = requestFor(memoryOf(input), memoryOf(output));
    REQUIRE_EQ(ready.execute(request).status, ErrorStatus::NONE);
    const std::size_t messages = ready.service.port.messages().size();

    for (std::uint8_t turn = 1; turn <= 5; ++turn) {
        bytesOf(input)[7] = turn;
        REQUIRE_EQ(ready.execute(request).status, ErrorStatus::NONE);
        CHECK_EQ(bytesOf(output)[7], turn);
    }

    CHECK_EQ(ready.service.port.messages().size(), messages);
    CHECK_EQ(ready.service.counters().livePoolMappings, 2);
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("constants lie in a BLOB, in place, and the device cannot write there [MP-2] [MP-4]") {
    Service service;
    const BufferPtr constants = makeBuffer(describeBlob(4096));
    bytesOf(constants)[0] = 40;
    const PrepareOutcome prepared =
            service.prepare(reluModelWithConstants({1, 8}, 7, memoryOf(constants)));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(8);
    const Pool output(8);
    input.bytes()[5] = 100;

    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[5], 147);  // 100 + 7 + 40
    bytesOf(constants)[0] = 41;
    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[5], 148);
    CHECK_EQ(service.counters().hostCopiedBytes, 0);
}

TEST_CASE("an image without gaps is an operand in place [MP-5] [MP-6]") {
    const BufferRelu ready;
    const BufferPtr input = makePixels(16, 1);  // one row of 64 bytes
    const BufferPtr output = makePixels(16, 1);
    fill(bytesOf(input), kBufferBytes);

    CHECK_EQ(ready.execute(requestFor(memoryOf(input), memoryOf(output))).status,
             ErrorStatus::NONE);

    CHECK(std::equal(bytesOf(input), bytesOf(input) + kBufferBytes, bytesOf(output)));
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("the device reads and writes the rows of an image with gaps in place [MP-5] [MP-6]") {
    const BufferRelu ready;
    const BufferPtr input = makePixels(4, 4);  // 16 bytes of each 64
    const BufferPtr output = makePixels(4, 4);
    std::fill_n(bytesOf(input), 256, std::uint8_t{99});
    std::fill_n(bytesOf(output), 256, std::uint8_t{77});
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t i = 0; i < 16; ++i) {
            bytesOf(input)[row * 64 + i] = static_cast<std::uint8_t>(row * 16 + i);
        }
    }
    const Pool packed(kBufferBytes);
    REQUIRE_EQ(ready.execute(requestFor(memoryOf(input), packed.memory)).status, ErrorStatus::NONE);
    CHECK_EQ(packed.bytes()[16], 16);
    CHECK_EQ(packed.bytes()[63], 63);

    REQUIRE_EQ(ready.execute(requestFor(packed.memory, memoryOf(output))).status,
               ErrorStatus::NONE);

    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
    CHECK_EQ(bytesOf(output)[0], 0);
    CHECK_EQ(bytesOf(output)[15], 15);
    CHECK_EQ(bytesOf(output)[16], 77);
    CHECK_EQ(bytesOf(output)[63], 77);
    CHECK_EQ(bytesOf(output)[64], 16);
    CHECK_EQ(bytesOf(output)[3 * 64 + 15], 63);
    CHECK_EQ(bytesOf(output)[3 * 64 + 16], 77);
}

TEST_CASE("every execution reads an image with gaps again [MP-5]") {
    const BufferRelu ready;
    const BufferPtr input = makePixels(4, 4);
    const Pool output(kBufferBytes);
    const nn::V1_3::Request request = requestFor(memoryOf(input), output.memory);
    for (std::uint8_t turn = 1; turn <= 3; ++turn) {
        bytesOf(input)[64] = turn;
        REQUIRE_EQ(ready.execute(request).status, ErrorStatus::NONE);
        CHECK_EQ(output.bytes()[16], turn);
    }
    CHECK_EQ(ready.service.counters().livePoolMappings, 2);
    CHECK_EQ(ready.service.compiler.seenOptions.size(), 2);  // without gaps, then with these
}

TEST_CASE("one memory may be two images of the same size [MP-5] [MP-6]") {
    const BufferRelu ready;
    const BufferPtr wide = makePixels(12, 4);  // 48 of 64 bytes
    const SpoiltHandle handle(wide);
    const Pool other(kBufferBytes);
    const auto resultWith = [&](std::int32_t width) {
        handle.native->data[3] = width;
        nn::V1_3::Request request = requestFor(memoryOf(wide), other.memory);
        request.pools[0].hidlMemory(hidl_memory("hardware_buffer", handle.native, 0));
        return ready.execute(request).status;
    };
    CHECK_EQ(resultWith(12), ErrorStatus::INVALID_ARGUMENT);  // 192 bytes for 64
    CHECK_EQ(resultWith(4), ErrorStatus::NONE);
    CHECK_EQ(resultWith(12), ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("YUV 4:2:0 is an operand of all rows of luma, then of chroma [MP-5]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 24}));  // 8 x 2 pixels, 12 bits
    const BufferPtr input = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420, 8, 2));
    AHardwareBuffer_Planes planes{};
    REQUIRE_EQ(AHardwareBuffer_lockPlanes(input.get(), AHARDWAREBUFFER_USAGE_CPU_WRITE_RARELY, -1,
                                          nullptr, &planes),
               0);
    const auto pixel = [&](int plane, std::size_t x, std::size_t y) {
        const AHardwareBuffer_Plane& of = planes.planes[plane];
        return static_cast<std::uint8_t*>(of.data) + y * of.rowStride + x * of.pixelStride;
    };
    *pixel(0, 7, 1) = 50;
    *pixel(1, 3, 0) = 60;
    *pixel(2, 3, 0) = 70;
    REQUIRE_EQ(AHardwareBuffer_unlock(input.get(), nullptr), 0);
    const Pool output(24);
    nn::V1_3::Request request = requestFor(memoryOf(input), output.memory);
    request.outputs = {argument(1, 0, 24)};

    CHECK_EQ(executeSync(prepared.model, request).status, ErrorStatus::NONE);

    CHECK_EQ(output.bytes()[15], 50);
    CHECK_EQ(output.bytes()[22], 60);
    CHECK_EQ(output.bytes()[23], 70);
}

TEST_CASE("an image is used as a whole, and is as large as the operand [MP-5]") {
    const BufferRelu ready;
    const BufferPtr image = makePixels(16, 1);
    const Pool other(kBufferBytes);
    nn::V1_3::Request request = requestFor(memoryOf(image), other.memory);
    REQUIRE_EQ(ready.execute(request).status, ErrorStatus::NONE);
    request.inputs = {argument(0, 0, kBufferBytes)};
    CHECK_EQ(ready.execute(request).status, ErrorStatus::INVALID_ARGUMENT);
    request.inputs = {argument(0, 1, 0)};
    CHECK_EQ(ready.execute(request).status, ErrorStatus::INVALID_ARGUMENT);

    const BufferPtr larger = makePixels(16, 2);
    CHECK_EQ(ready.execute(requestFor(memoryOf(larger), other.memory)).status,
             ErrorStatus::INVALID_ARGUMENT);
    const BufferPtr smaller = makePixels(15, 1);
    CHECK_EQ(ready.execute(requestFor(memoryOf(smaller), other.memory)).status,
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(ready.execute(requestFor(other.memory, memoryOf(smaller))).status,
             ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    CHECK_EQ(ready.execute(requestFor(other.memory, memoryOf(larger))).status, ErrorStatus::NONE);
}

TEST_CASE("an output may lie in a much larger image with gaps [MP-5] [MP-6]") {
    const BufferRelu ready;
    const BufferPtr vast = makePixels(8191, 8200);  // 4 bytes of gap a row, 256 MiB without them
    const Pool other(kBufferBytes);
    fill(other.bytes(), kBufferBytes);
    CHECK_EQ(ready.execute(requestFor(memoryOf(vast), other.memory)).status,
             ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(ready.execute(requestFor(other.memory, memoryOf(vast))).status, ErrorStatus::NONE);
    CHECK(std::equal(other.bytes(), other.bytes() + kBufferBytes, bytesOf(vast)));
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("an image cannot hold constants [MP-4]") {
    Service service;
    const BufferPtr image = makePixels(16, 1);
    nn::V1_3::Model model = reluModelWithConstants({1, 8}, 7, memoryOf(image));

    // With its actual size 0 the pool has no room for the operand.
    CHECK_EQ(service.prepare(model).status, ErrorStatus::INVALID_ARGUMENT);
    // Even without an operand, such a pool cannot be mapped for a model.
    const BufferPtr blob = makeBuffer(describeBlob(64));
    model.pools = {memoryOf(blob), memoryOf(image)};
    CHECK_EQ(service.prepare(model).status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
    CHECK_EQ(service.counters().livePoolMappings, 0);
}

TEST_CASE("handles that cannot be decoded fail and leave nothing behind [MP-5]") {
    const std::vector<std::function<void(native_handle_t&)>> mutations = {
            [](native_handle_t& h) { h.version = 0; },
            [](native_handle_t& h) { h.numFds = 0; },
            [](native_handle_t& h) { h.numInts = 0; },
            [](native_handle_t& h) { h.data[1] ^= 1; },   // the mark
            [](native_handle_t& h) { h.data[2] = 1; },    // the format
            [](native_handle_t& h) { h.data[3] += 1; },   // the width
            [](native_handle_t& h) { h.data[4] = 2; },    // the height
            [](native_handle_t& h) { h.data[9] += 1; },   // the size
            [](native_handle_t& h) { h.data[10] = -1; },  // its high half
    };
    const BufferPtr blob = makeBuffer(describeBlob(kBufferBytes));
    for (std::size_t i = 0; i < mutations.size(); ++i) {
        CAPTURE(i);
        BufferRelu ready;
        const SpoiltHandle handle(blob);
        mutations[i](*handle.native);
        const Pool output(kBufferBytes);
        nn::V1_3::Request request = requestFor(memoryOf(blob), output.memory);
        // Only the driver may access the handle: the request borrows it.
        hidl_memory borrowed("hardware_buffer_blob", handle.native, kBufferBytes);
        request.pools[0].hidlMemory(std::move(borrowed));
        const DriverCounters before = ready.service.counters();

        CHECK_EQ(ready.execute(request).status, ErrorStatus::GENERAL_FAILURE);

        CHECK_EQ(ready.service.counters().dmaBytes, before.dmaBytes);
        CHECK_EQ(ready.service.counters().jobsSubmitted, 0);
        nn::V1_3::Model model = reluModelWithConstants({1, 8}, 7, hidl_memory());
        model.pools[0] = hidl_memory("hardware_buffer_blob", handle.native, kBufferBytes);
        CHECK_EQ(ready.service.prepare(model).status, ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(ready.service.counters().dmaBytes, before.dmaBytes);
    }
}

TEST_CASE("getSupportedOperations checks that the constants can be mapped [MP-5]") {
    const Service service;
    const auto isSupported = [&](const nn::V1_3::Model& model) {
        bool answer = false;
        const auto returned = service.device->getSupportedOperations_1_3(
                model, [&](ErrorStatus status, const android::hardware::hidl_vec<bool>& supported) {
                    CHECK_EQ(status, ErrorStatus::NONE);
                    REQUIRE_EQ(supported.size(), 1);
                    answer = supported[0];
                });
        CHECK(returned.isOk());
        return answer;
    };
    const BufferPtr blob = makeBuffer(describeBlob(64));
    const BufferPtr image = makePixels(16, 1);
    const SpoiltHandle handle(blob);
    const nn::V1_3::Model model =
            addConstantModel(hidl_memory("hardware_buffer_blob", handle.native, 64));
    CHECK(isSupported(model));
    handle.native->data[1] ^= 1;
    CHECK_FALSE(isSupported(model));
    CHECK(service.observer.hasLogged(
            "is not supported: model pool 0: memory pool cannot be mapped"));

    // A pool that no operation needs is ignored.
    nn::V1_3::Model other = addConstantModel(memoryOf(blob));
    other.pools = {memoryOf(blob), memoryOf(image)};
    CHECK(isSupported(other));
}

TEST_CASE("a handle that becomes invalid after a use is refused [MP-5]") {
    const BufferRelu ready;
    const BufferPtr blob = makeBuffer(describeBlob(kBufferBytes));
    const SpoiltHandle handle(blob);
    const Pool output(kBufferBytes);
    nn::V1_3::Request request = requestFor(memoryOf(blob), output.memory);
    hidl_memory borrowed("hardware_buffer_blob", handle.native, kBufferBytes);
    request.pools[0].hidlMemory(std::move(borrowed));
    REQUIRE_EQ(ready.execute(request).status, ErrorStatus::NONE);

    handle.native->data[1] ^= 1;

    CHECK_EQ(ready.execute(request).status, ErrorStatus::GENERAL_FAILURE);
}

TEST_SUITE_END();
