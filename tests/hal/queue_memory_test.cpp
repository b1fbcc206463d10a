// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vnpu/hal/queue_memory.h>

#include <cerrno>
#include <functional>
#include <string>

#include "tests/hal/test_support.h"

namespace {

using android::base::unique_fd;
using android::hardware::GrantorDescriptor;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::kSynchronizedReadWrite;
using android::hardware::kUnsynchronizedWrite;
using android::hardware::MQFlavor;
using vnpu::hal::createQueue;
using vnpu::hal::QueueMemory;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

constexpr size_t kMessageBytes = 24;
constexpr uint64_t kMessages = 16;

/// A valid description, for the test to corrupt.
struct Sample {
    Sample() {
        auto queue = createQueue({kMessages, kMessageBytes, 8, true, unique_fd(), 0});
        REQUIRE(queue.has_value());
        grantors = queue->grantors;
        handle.setTo(queue->handle, true);
    }

    ~Sample() {
        if (handle.getNativeHandle() != nullptr) {
            native().version = sizeof(native_handle_t);  // otherwise nothing is closed
        }
    }
    Sample(const Sample&) = delete;
    Sample& operator=(const Sample&) = delete;

    native_handle_t& native() { return const_cast<native_handle_t&>(*handle.getNativeHandle()); }
    auto map() const {
        return QueueMemory::map({grantors, handle, quantum, flags}, {kMessageBytes, 8, flavor});
    }
    void replaceFile(unique_fd file) {
        close(native().data[0]);
        native().data[0] = file.release();
    }

    hidl_vec<GrantorDescriptor> grantors;
    hidl_handle handle;
    size_t quantum = kMessageBytes;
    int32_t flags = kSynchronizedReadWrite;
    MQFlavor flavor = kSynchronizedReadWrite;
};

unique_fd sealedFile(size_t sizeBytes) {
    unique_fd file(memfd_create("vnpu-test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(ftruncate(file.get(), static_cast<off_t>(sizeBytes)) == 0);
    return file;
}

TEST_SUITE_BEGIN("hal/queue_memory");

TEST_CASE("a new queue lies as libfmq lays it out") {
    // source: probe of libfmq, 1024 messages of 24 bytes with an event flag
    auto queue = createQueue({1024, 24, 8, true, unique_fd(), 0});
    REQUIRE(queue.has_value());
    hidl_handle owner;
    owner.setTo(queue->handle, true);
    REQUIRE(queue->grantors.size() == 4);
    CHECK(queue->grantors[0].offset == 0);
    CHECK(queue->grantors[1].offset == 8);
    CHECK(queue->grantors[2].offset == 16);
    CHECK(queue->grantors[2].extent == 24576);
    CHECK(queue->grantors[3].offset == 24592);
    CHECK(lseek(owner->data[0], 0, SEEK_END) == 28672);
    CHECK(ftruncate(owner->data[0], 4096) != 0);
    CHECK(errno == EPERM);
}

TEST_CASE("messages of a stricter alignment move the ring") {
    auto queue = createQueue({4, 64, 64, false, unique_fd(), 0});
    REQUIRE(queue.has_value());
    hidl_handle owner;
    owner.setTo(queue->handle, true);
    CHECK(queue->grantors[2].offset == 64);
    CHECK(queue->grantors.size() == 3);
}

TEST_CASE("the ring may lie in a file of the caller's") {
    auto queue = createQueue({64, 4, 4, true, sealedFile(4096), 4096});
    REQUIRE(queue.has_value());
    hidl_handle owner;
    owner.setTo(queue->handle, true);
    CHECK(owner->numFds == 2);
    CHECK(queue->grantors[2].fdIndex == 1);
    CHECK(queue->grantors[2].offset == 0);
    CHECK(queue->grantors[2].extent == 256);
    CHECK(queue->grantors[3].fdIndex == 0);
    CHECK(queue->grantors[3].offset == 16);
    CHECK_FALSE(createQueue({64, 4, 4, true, sealedFile(4096), 255}).has_value());
}

TEST_CASE("queues without messages or with too many are not created") {
    CHECK_FALSE(createQueue({0, 4, 4, false, unique_fd(), 0}).has_value());
    CHECK_FALSE(createQueue({SIZE_MAX, 4, 4, false, unique_fd(), 0}).has_value());
    CHECK_FALSE(createQueue({SIZE_MAX / 4 + 2, 4, 4, false, unique_fd(), 0}).has_value());
    CHECK_FALSE(createQueue({uint64_t{8} << 30, 1, 1, false, unique_fd(), 0}).has_value());
}

TEST_CASE("all regions of a valid description are mapped") {
    const Sample sample;
    const auto memory = sample.map();
    REQUIRE(memory.has_value());
    CHECK(memory->ringBytes() == kMessages * kMessageBytes);
    CHECK(memory->ring() == reinterpret_cast<uint8_t*>(memory->readCounter()) + 16);
    CHECK(memory->ring() == reinterpret_cast<uint8_t*>(memory->writeCounter()) + 8);
    CHECK(memory->ring() + memory->ringBytes() ==
          reinterpret_cast<uint8_t*>(memory->eventFlagWord()));
    CHECK(memory->isWritable());
}

TEST_CASE("a foreign description with any error is refused, and nothing stays open") {
    struct Case {
        const char* what;
        std::function<void(Sample&)> spoil;
        const char* reason;  // a part of the message
    };
    const Case cases[] = {
            {"no handle", [](Sample& s) { s.handle = nullptr; }, "no handle"},
            {"handle of another version", [](Sample& s) { s.native().version = 4; }, "version 4"},
            {"fd index behind the fds", [](Sample& s) { s.grantors[2].fdIndex = 1; }, "fd 1 of 1"},
            {"fd index far out", [](Sample& s) { s.grantors[0].fdIndex = UINT32_MAX; }, "of 1"},
            {"misaligned counter", [](Sample& s) { s.grantors[1].offset = 12; }, "multiple of 8"},
            {"misaligned ring", [](Sample& s) { s.grantors[2].offset = 20; }, "multiple of 8"},
            {"misaligned word", [](Sample& s) { s.grantors[3].offset = 402; }, "multiple of 8"},
            {"counter of one byte", [](Sample& s) { s.grantors[0].extent = 1; }, "has 1 bytes"},
            {"word of three bytes", [](Sample& s) { s.grantors[3].extent = 3; }, "has 3 bytes"},
            {"empty ring", [](Sample& s) { s.grantors[2].extent = 0; }, "has 0 bytes"},
            {"ring of a part", [](Sample& s) { s.grantors[2].extent = 383; }, "multiple of 24"},
            {"ring behind the file", [](Sample& s) { s.grantors[2].extent = 4104; },
             "file of 4096"},
            {"huge ring", [](Sample& s) { s.grantors[2].extent = 24 * (UINT64_MAX / 24); },
             "up to"},
            {"ring behind 4 GiB", [](Sample& s) { s.grantors[2].offset = 0xFFFFFFF8; }, "file of"},
            {"counter behind the file", [](Sample& s) { s.grantors[0].offset = 4096; }, "file of"},
            {"ring over a counter", [](Sample& s) { s.grantors[2].offset = 8; }, "overlaps"},
            {"one counter twice", [](Sample& s) { s.grantors[1].offset = 0; }, "overlaps"},
            {"word in the ring", [](Sample& s) { s.grantors[3].offset = 16; }, "overlaps"},
            {"two regions", [](Sample& s) { s.grantors.resize(2); }, "2 regions"},
            {"no regions", [](Sample& s) { s.grantors.resize(0); }, "0 regions"},
            {"other messages", [](Sample& s) { s.quantum = 8; }, "have 8 bytes"},
            {"no messages", [](Sample& s) { s.quantum = 0; }, "have 0 bytes"},
            {"other flavor", [](Sample& s) { s.flags = kUnsynchronizedWrite; }, "flavor 2"},
            {"a file that can shrink", [](Sample& s) { s.replaceFile(makeFile(4096)); }, "shrink"},
            {"a directory",
             [](Sample& s) { s.replaceFile(unique_fd(open("/", O_RDONLY | O_CLOEXEC))); },
             "no seals"},
            {"a file that may only be read",
             [](Sample& s) {
                 const std::string path = "/proc/self/fd/" + std::to_string(s.native().data[0]);
                 s.replaceFile(unique_fd(open(path.c_str(), O_RDONLY | O_CLOEXEC)));
             },
             "cannot be mapped"},
    };
    for (const Case& wrong : cases) {
        const std::string what = wrong.what;
        CAPTURE(what);
        const size_t before = openFdCount();
        {
            Sample sample;
            wrong.spoil(sample);
            const auto memory = sample.map();
            REQUIRE_FALSE(memory.has_value());
            CHECK_MESSAGE(memory.error().find(wrong.reason) != std::string::npos, memory.error());
        }
        CHECK(openFdCount() == before);
    }
}

TEST_CASE("regions overlap by their file, not by their descriptor") {
    Sample sample;
    native_handle_t* const two = native_handle_create(2, 0);
    two->data[0] = fcntl(sample.native().data[0], F_DUPFD_CLOEXEC, 0);
    two->data[1] = fcntl(sample.native().data[0], F_DUPFD_CLOEXEC, 0);
    sample.handle.setTo(two, true);
    sample.grantors[2].fdIndex = 1;
    CHECK(sample.map().has_value());
    sample.grantors[2].offset = 0;
    CHECK_FALSE(sample.map().has_value());
}

TEST_CASE("a reader of the unsynchronized flavor accepts read-only memory") {
    Sample sample;
    sample.flags = kUnsynchronizedWrite;
    sample.flavor = kUnsynchronizedWrite;
    const std::string path = "/proc/self/fd/" + std::to_string(sample.native().data[0]);
    sample.replaceFile(unique_fd(open(path.c_str(), O_RDONLY | O_CLOEXEC)));
    const auto readOnly = sample.map();
    REQUIRE(readOnly.has_value());
    CHECK_FALSE(readOnly->isWritable());
    CHECK(readOnly->eventFlagWord() == nullptr);

    unique_fd file = sealedFile(4096);
    REQUIRE(fcntl(file.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0);
    sample.replaceFile(std::move(file));
    CHECK(sample.map().has_value());
}

TEST_SUITE_END();

}  // namespace
