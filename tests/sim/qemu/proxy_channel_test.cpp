// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/proxy_channel.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "sim/qemu/socket_pair.h"

namespace {

using android::base::unique_fd;
using vnpu::sim::BarAccess;
using vnpu::sim::ConfigAccess;
using vnpu::sim::MemoryMapMessage;
using vnpu::sim::ProxyChannel;
using vnpu::sim::SocketPair;

/// QEMU's end: sends what a test wants, right or wrong.
struct Peer {
    Peer() : Peer(SocketPair::create()) {}
    explicit Peer(SocketPair pair)
        : socket(std::move(pair.theirs)), channel(std::move(pair.ours)) {}

    static std::string header(std::int32_t command, std::uint64_t bodyBytes) {
        std::string bytes(16, '\0');
        std::memcpy(bytes.data(), &command, 4);
        std::memcpy(bytes.data() + 8, &bodyBytes, 8);
        return bytes;
    }
    template <typename... Numbers>
    static std::string numbers(Numbers... values) {
        std::string bytes;
        (bytes.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
        return bytes;
    }
    void send(const std::string& bytes, int descriptors = 0) const {
        std::vector<int> files(static_cast<std::size_t>(descriptors), STDIN_FILENO);
        std::vector<char> control(CMSG_SPACE(files.size() * sizeof(int)));
        iovec data{const_cast<char*>(bytes.data()), bytes.size()};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        if (descriptors != 0) {
            message.msg_control = control.data();
            message.msg_controllen = control.size();
            cmsghdr* const part = CMSG_FIRSTHDR(&message);
            part->cmsg_level = SOL_SOCKET;
            part->cmsg_type = SCM_RIGHTS;
            part->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
            std::memcpy(CMSG_DATA(part), files.data(), files.size() * sizeof(int));
        }
        REQUIRE(sendmsg(socket.get(), &message, 0) == static_cast<ssize_t>(bytes.size()));
    }
    /// The error that the next message causes.
    std::string refusal() {
        auto request = channel.receive();
        return request ? "" : request.error();
    }

    unique_fd socket;
    ProxyChannel channel;
};

const std::string kBarRead =
        Peer::header(5, 24) + Peer::numbers(std::uint64_t{0xfe00'0040}, std::uint64_t{7},
                                            std::uint32_t{4}, std::uint32_t{1});

int openFiles() {
    int count = 0;
    for (int file = 0; file < 1024; ++file) {
        count += fcntl(file, F_GETFD) >= 0 ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/proxy_channel");

TEST_CASE("requests become what they say [issue 28.5]") {
    Peer peer;
    CHECK_FALSE(peer.channel.receive()->has_value());
    peer.send(kBarRead);
    peer.send(Peer::header(2, 12) +
              Peer::numbers(std::uint32_t{4}, std::uint32_t{6}, std::uint32_t{2}));
    const auto bar = std::get<BarAccess>(**peer.channel.receive());
    CHECK_FALSE(bar.isWrite);
    CHECK(bar.address == 0xfe00'0040);
    CHECK(bar.sizeBytes == 4);
    const auto config = std::get<ConfigAccess>(**peer.channel.receive());
    CHECK(config.isWrite);
    CHECK(config.address == 4);
    CHECK(config.value == 6);
    CHECK(config.sizeBytes == 2);
    CHECK_FALSE(peer.channel.receive()->has_value());
    CHECK(peer.channel.answer(0x1122'3344'5566'7788).has_value());
    std::string answer(24, '\0');
    REQUIRE(read(peer.socket.get(), answer.data(), 24) == 24);
    CHECK(answer == Peer::header(1, 8) + Peer::numbers(std::uint64_t{0x1122'3344'5566'7788}));
}

TEST_CASE("a request that arrives in pieces is waited for [issue 28.5]") {
    Peer peer;
    for (const char byte : kBarRead) {
        CHECK_FALSE(peer.channel.receive()->has_value());
        peer.send(std::string(1, byte));
    }
    CHECK(peer.channel.receive()->has_value());
}

TEST_CASE("descriptors belong to the message they came with [issue 28.5]") {
    Peer peer;
    const std::string body(192, '\1');
    peer.send(kBarRead);
    peer.send(Peer::header(0, 192) + body, 2);
    peer.send(Peer::header(0, 192) + body, 8);
    peer.send(kBarRead);
    CHECK(std::holds_alternative<BarAccess>(**peer.channel.receive()));
    CHECK(std::get<MemoryMapMessage>(**peer.channel.receive()).regions.size() == 2);
    CHECK(std::get<MemoryMapMessage>(**peer.channel.receive()).regions.size() == 8);
    CHECK(std::holds_alternative<BarAccess>(**peer.channel.receive()));
}

TEST_CASE("a message with a wrong command or size is refused before its body [issue 28.5]") {
    const auto refusal = [](std::int32_t command, std::uint64_t bodyBytes) {
        Peer peer;
        peer.send(Peer::header(command, bodyBytes));
        return peer.refusal();
    };
    CHECK(refusal(-1, 0) == "command -1, expected a request from 0 to 7");
    CHECK(refusal(8, 0) == "command 8, expected a request from 0 to 7");
    CHECK(refusal(1, 8) == "command 1, expected a request from 0 to 7");
    CHECK(refusal(0x7fff'ffff, 0) == "command 2147483647, expected a request from 0 to 7");
    CHECK(refusal(0, 191) == "SYNC_SYSMEM with a body of 191 bytes, expected 192");
    CHECK(refusal(5, ~0ULL) == "BAR_READ with a body of 18446744073709551615 bytes, expected 24");
    CHECK(refusal(2, 0) == "PCI_CFGWRITE with a body of 0 bytes, expected 12");
    CHECK(refusal(7, 1) == "DEVICE_RESET with a body of 1 bytes, expected 0");
}

TEST_CASE(
        "a message with the wrong number of descriptors is refused, and none stays open "
        "[issue 28.5]") {
    const int before = openFiles();
    const auto refusal = [](const std::string& bytes, int descriptors) {
        Peer peer;
        peer.send(bytes, descriptors);
        return peer.refusal();
    };
    const std::string map = Peer::header(0, 192) + std::string(192, '\0');
    CHECK(refusal(map, 0).empty());
    CHECK(refusal(map, 9) == "a message with 9 descriptors, expected at most 8");
    CHECK(refusal(map, 253) == "a message with 253 descriptors, expected at most 8");
    CHECK(refusal(kBarRead, 1) == "BAR_READ with 1 descriptors, expected 0 to 0");
    CHECK(refusal(Peer::header(6, 0), 1) == "SET_IRQFD with 1 descriptors, expected 2 to 2");
    CHECK(refusal(Peer::header(6, 0), 2).empty());
    CHECK(openFiles() == before);
}

TEST_CASE("a peer that ends within a message has closed the connection [issue 28.5]") {
    Peer peer;
    peer.send(kBarRead.substr(0, 20));
    peer.socket.reset();
    CHECK_FALSE(peer.channel.receive()->has_value());
    CHECK(peer.channel.isClosed());
    CHECK(peer.channel.answer(0).has_value());
}

TEST_CASE("a peer that takes no answers is refused [issue 28.5]") {
    Peer peer;
    tl::expected<void, std::string> answered;
    for (int i = 0; i < 1'000'000 && answered; ++i) {
        answered = peer.channel.answer(1);
    }
    REQUIRE_FALSE(answered.has_value());
    CHECK(answered.error() == "the peer sends requests without taking the answers");
}

TEST_SUITE_END();
