// SPDX-License-Identifier: Apache-2.0
// Messages of a hostile QEMU to the PCI function. The input is pieces: the number of descriptors,
// the number of bytes, and the bytes. After each piece the function serves what has arrived, and
// its card reads, writes and maps the guest's memory; some files become shorter in between.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/qemu/pci_function.h"
#include "sim/qemu/proxy_channel.h"
#include "sim/qemu/socket_pair.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

constexpr std::uint32_t kGuestFileBytes = 64 * 1024;

struct QuietCard : sim::Card {
    std::uint32_t registerBytes() const override { return 0x9000; }
    std::uint32_t residentBytes() const override { return kResidentBytes; }
    std::uint32_t read32(std::uint32_t offset) override {
        require(offset < registerBytes() && offset % 4 == 0, "a register within the window");
        return offset;
    }
    void write32(std::uint32_t offset, std::uint32_t value) override {
        require(offset < registerBytes() && offset % 4 == 0, "a register within the window");
        isLineHigh = (value & 1U) != 0;
    }
    void readResident(std::uint32_t offset, std::span<std::byte> data) override {
        require(offset + data.size() <= kResidentBytes, "bytes of the resident memory");
    }
    void writeResident(std::uint32_t offset, std::span<const std::byte> data) override {
        require(offset + data.size() <= kResidentBytes, "bytes of the resident memory");
    }
    void reset() override {}
    void unmap(std::uint64_t /*address*/, std::uint64_t /*sizeBytes*/) override {}

    static constexpr std::uint32_t kResidentBytes = 12 * 1024;
    bool isLineHigh = false;
};

struct QuietWires : sim::InterruptWires {
    void setInput(std::uint32_t input, bool /*isHigh*/) override {
        require(input != 0 && input < 24, "an input of the interrupt controller");
    }
    void sendMessage(std::uint64_t /*address*/, std::uint32_t /*data*/) override {}
};

/// A sealed file, another one that shrinks, and something that is no file.
struct Files {
    Files() {
        for (const bool isSealed : {true, false}) {
            const int file = memfd_create("guest", MFD_CLOEXEC | MFD_ALLOW_SEALING);
            require(ftruncate(file, kGuestFileBytes) == 0, "a file in memory");
            if (isSealed) {
                fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK);
            }
            all[isSealed ? 0 : 1].reset(file);
        }
        all[2].reset(open("/dev/null", O_RDWR | O_CLOEXEC));
    }
    std::array<android::base::unique_fd, 3> all;
};

/// False if the kernel sends fewer.
bool send(int socket, std::span<const uint8_t> bytes, const std::vector<int>& descriptors) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(16 * sizeof(int))> control{};
    iovec data{const_cast<uint8_t*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
        cmsghdr* const part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
        std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size() * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
}

void useMemory(sim::PciFunction& function, ByteSource& source) {
    std::array<std::byte, 300> data{};
    const std::uint64_t address =
            source.flip() ? source.number<std::uint64_t>() : source.number<std::uint16_t>();
    function.read(address, data);
    function.write(address, data);
    if (const auto bytes = function.map(address); !bytes.empty()) {
        bytes.front() = bytes.back();
    }
}

/// Whether the peer has kept to the protocol.
bool serveAll(sim::ProxyChannel& channel, sim::PciFunction& function, QuietCard& card) {
    while (true) {
        auto request = channel.receive();
        if (!request || channel.isClosed()) {
            return false;
        }
        if (!*request) {
            return true;
        }
        const auto value = function.serve(std::move(**request));
        function.setLine(card.isLineHigh);
        if (value && !channel.answer(*value)) {
            return false;
        }
    }
}

void runPciProxy(std::span<const uint8_t> input) {
    ByteSource source(input);
    const Files files;
    sim::SocketPair pair = sim::SocketPair::create();
    QuietCard card;
    QuietWires wires;
    sim::PciFunction function(card, wires, [](const std::string&) {});
    sim::ProxyChannel channel(std::move(pair.ours));
    bool isGood = true;
    while (isGood && !source.isEmpty()) {
        std::vector<int> descriptors;
        for (std::size_t count = source.below(11); count > 0; --count) {
            descriptors.push_back(files.all[count % files.all.size()].get());
        }
        const auto bytes = source.take(source.number<uint8_t>());
        if (bytes.empty()) {
            require(ftruncate(files.all[1].get(), 4096) == 0, "a shorter file");
        } else if (!send(pair.theirs.get(), bytes, descriptors)) {
            return;
        }
        isGood = serveAll(channel, function, card);
        useMemory(function, source);
    }
}

}  // namespace

const Target kPciProxy = {"pci_proxy", runPciProxy};

}  // namespace vnpu::fuzz
