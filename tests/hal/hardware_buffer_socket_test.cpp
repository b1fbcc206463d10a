// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vndk/hardware_buffer.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "tests/hal/hardware_buffer_support.h"
#include "tests/hal/test_support.h"

namespace {

using android::base::unique_fd;
using vnpu::hal::test::BufferPtr;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::descriptionOf;
using vnpu::hal::test::kReadAndWrite;
using vnpu::hal::test::makeBuffer;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

struct SocketPair {
    explicit SocketPair(int type = SOCK_STREAM) {
        int ends[2] = {};
        REQUIRE(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0);
        here.reset(ends[0]);
        there.reset(ends[1]);
    }

    unique_fd here;
    unique_fd there;
};

int receive(int socketFd) {
    AHardwareBuffer* buffer = nullptr;
    const int result = AHardwareBuffer_recvHandleFromUnixSocket(socketFd, &buffer);
    AHardwareBuffer_release(buffer);
    return result;
}

/// The ints of a handle in their form on the socket.
std::vector<int> intsOf(const BufferPtr& buffer) {
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(buffer.get());
    return {&handle->data[1], &handle->data[1] + handle->numInts};
}

/// Sends bytes with descriptors attached.
void sendRaw(int socketFd, const void* bytes, size_t count, const std::vector<int>& fds) {
    iovec vector{const_cast<void*>(bytes), count};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(64 * sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (!fds.empty()) {
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
        std::memcpy(CMSG_DATA(header), fds.data(), fds.size() * sizeof(int));
    }
    REQUIRE(sendmsg(socketFd, &message, 0) == static_cast<ssize_t>(count));
}

/// The other process: answers every received byte with its complement. Returns the number of the
/// step that failed, or 0.
int invertReceived(int socketFd) {
    AHardwareBuffer* buffer = nullptr;
    if (AHardwareBuffer_recvHandleFromUnixSocket(socketFd, &buffer) != 0) {
        return 1;
    }
    AHardwareBuffer_Desc desc{};
    AHardwareBuffer_describe(buffer, &desc);
    if (desc.width != 20 || desc.height != 4 || desc.stride != 32 || desc.usage != kReadAndWrite) {
        return 2;
    }
    void* address = nullptr;
    if (AHardwareBuffer_lock(buffer, kReadAndWrite, -1, nullptr, &address) != 0) {
        return 3;
    }
    auto* const bytes = static_cast<uint8_t*>(address);
    for (size_t i = 0; i < 512; ++i) {
        bytes[i] = static_cast<uint8_t>(~bytes[i]);
    }
    const int unlocked = AHardwareBuffer_unlock(buffer, nullptr);
    AHardwareBuffer_release(buffer);
    return unlocked == 0 ? 0 : 4;
}

TEST_SUITE_BEGIN("hal/hardware_buffer_socket");

TEST_CASE("two processes share the bytes of one buffer [MP-5]") {
    const SocketPair sockets;
    const BufferPtr buffer =
            makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 20, 4));
    uint8_t* const bytes = bytesOf(buffer);
    for (size_t i = 0; i < 512; ++i) {
        bytes[i] = static_cast<uint8_t>(i);
    }
    const pid_t child = fork();
    if (child == 0) {
        _exit(invertReceived(sockets.there.get()));
    }
    REQUIRE(AHardwareBuffer_sendHandleToUnixSocket(buffer.get(), sockets.here.get()) == 0);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(bytes[0] == 255);
    CHECK(bytes[100] == 155);
    CHECK(bytes[511] == 0);
}

TEST_CASE("a buffer outlives its sender, and keeps description and id [MP-5]") {
    const SocketPair sockets;
    BufferPtr sent = makeBuffer(describeBlob(1001));
    bytesOf(sent)[1000] = 42;
    uint64_t idOfSent = 0;
    REQUIRE(AHardwareBuffer_getId(sent.get(), &idOfSent) == 0);
    REQUIRE(AHardwareBuffer_sendHandleToUnixSocket(sent.get(), sockets.here.get()) == 0);
    sent.reset();
    AHardwareBuffer* buffer = nullptr;
    REQUIRE(AHardwareBuffer_recvHandleFromUnixSocket(sockets.there.get(), &buffer) == 0);
    const BufferPtr received(buffer);
    CHECK(descriptionOf(received).width == 1001);
    CHECK(descriptionOf(received).format == AHARDWAREBUFFER_FORMAT_BLOB);
    uint64_t id = 0;
    CHECK(AHardwareBuffer_getId(received.get(), &id) == 0);
    CHECK(id == idOfSent);
    CHECK(bytesOf(received)[1000] == 42);
}

TEST_CASE("several buffers follow each other through one socket of any kind [MP-5]") {
    for (const int type : {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM}) {
        CAPTURE(type);
        const SocketPair sockets(type);
        for (uint32_t sizeBytes = 1; sizeBytes <= 3; ++sizeBytes) {
            const BufferPtr buffer = makeBuffer(describeBlob(sizeBytes));
            REQUIRE(AHardwareBuffer_sendHandleToUnixSocket(buffer.get(), sockets.here.get()) == 0);
        }
        for (uint32_t sizeBytes = 1; sizeBytes <= 3; ++sizeBytes) {
            AHardwareBuffer* buffer = nullptr;
            REQUIRE(AHardwareBuffer_recvHandleFromUnixSocket(sockets.there.get(), &buffer) == 0);
            CHECK(descriptionOf(BufferPtr(buffer)).width == sizeBytes);
        }
    }
}

TEST_CASE("a message may arrive byte by byte [MP-5]") {
    const SocketPair sockets;
    const BufferPtr buffer = makeBuffer(describeBlob(16));
    const std::vector<int> ints = intsOf(buffer);
    const auto* const bytes = reinterpret_cast<const char*>(ints.data());
    const int fd = AHardwareBuffer_getNativeHandle(buffer.get())->data[0];
    std::thread sender([&] {
        for (size_t i = 0; i < ints.size() * sizeof(int); ++i) {
            sendRaw(sockets.here.get(), bytes + i, 1,
                    i == 0 ? std::vector{fd} : std::vector<int>{});
        }
    });
    CHECK(receive(sockets.there.get()) == 0);
    sender.join();
}

TEST_CASE("hostile messages are refused, and their descriptors closed [MP-5]") {
    const BufferPtr buffer = makeBuffer(describeBlob(16));
    const std::vector<int> good = intsOf(buffer);
    const size_t goodBytes = good.size() * sizeof(int);
    const int fd = AHardwareBuffer_getNativeHandle(buffer.get())->data[0];
    std::vector<int> bad = good;
    bad[2] = 17;  // wider than its memory
    std::vector<int> longer = good;
    longer.push_back(0);
    const unique_fd file = makeFile(16);

    struct Message {
        const char* what;
        int type;
        const std::vector<int>& ints;
        size_t sizeBytes;
        std::vector<int> fds;
    };
    const std::vector<Message> table = {
            {"no descriptor", SOCK_STREAM, good, goodBytes, {}},
            {"two descriptors", SOCK_STREAM, good, goodBytes, {fd, fd}},
            {"more descriptors than are taken", SOCK_STREAM, good, goodBytes,
             std::vector<int>(60, fd)},
            {"another file", SOCK_STREAM, good, goodBytes, {file.get()}},
            {"wrong ints", SOCK_STREAM, bad, goodBytes, {fd}},
            {"an end too early", SOCK_STREAM, good, goodBytes - 1, {fd}},
            {"a short packet", SOCK_SEQPACKET, good, goodBytes - 4, {fd}},
            {"a long packet", SOCK_SEQPACKET, longer, goodBytes + 4, {fd}},
            {"a short datagram", SOCK_DGRAM, good, 1, {fd}},
    };
    for (const Message& message : table) {
        CAPTURE(message.what);
        SocketPair sockets(message.type);
        const size_t before = openFdCount();
        sendRaw(sockets.here.get(), message.ints.data(), message.sizeBytes, message.fds);
        shutdown(sockets.here.get(), SHUT_WR);
        CHECK(receive(sockets.there.get()) == -EBADMSG);
        CHECK(openFdCount() == before);
    }
}

TEST_CASE("a closed or missing socket is an error of its own") {
    const BufferPtr buffer = makeBuffer(describeBlob(16));
    SocketPair sockets;
    CHECK(AHardwareBuffer_sendHandleToUnixSocket(nullptr, sockets.here.get()) == -EINVAL);
    CHECK(AHardwareBuffer_recvHandleFromUnixSocket(sockets.there.get(), nullptr) == -EINVAL);
    CHECK(AHardwareBuffer_sendHandleToUnixSocket(buffer.get(), -1) == -EBADF);
    CHECK(receive(-1) == -EBADF);
    const unique_fd file = makeFile(1);
    CHECK(AHardwareBuffer_sendHandleToUnixSocket(buffer.get(), file.get()) == -ENOTSOCK);
    sockets.here.reset();
    CHECK(receive(sockets.there.get()) == -ENODATA);
    CHECK(AHardwareBuffer_sendHandleToUnixSocket(buffer.get(), sockets.there.get()) == -EPIPE);
}

TEST_CASE("a non-blocking socket reports that there is nothing yet") {
    const SocketPair sockets(SOCK_STREAM | SOCK_NONBLOCK);
    CHECK(receive(sockets.there.get()) == -EAGAIN);
}

TEST_SUITE_END();

}  // namespace
