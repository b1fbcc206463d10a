// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/bringup/bringup_bench.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <systemc>

#include "firmware/core/firmware.h"
#include "hw_model/blocks/device.h"
#include "hw_model/regs/command_writer.h"
#include "hw_model/regs/page_table.h"
#include "sim/bringup/bus_tools.h"
#include "sim/bringup/lint.h"
#include "sim/config/load_config.h"
#include "sim/platform/virtual_port.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

namespace {

using std::chrono::microseconds;

constexpr std::uint64_t kCommands = 0x10000;  // virtual addresses
constexpr std::uint64_t kRegions = kCommands + 0x800;
constexpr int kMostPolls = 200;

template <typename Value>
Value& at(const driver::DmaBuffer& buffer, std::uint64_t offset = 0) {
    return *reinterpret_cast<Value*>(buffer.host + offset);
}

}  // namespace

void BringupHost::sleep(std::chrono::nanoseconds time) {
    port_.createEvent()->waitFor(time);
}

driver::DmaBuffer BringupHost::allocate(std::uint64_t bytes) {
    auto buffer = port_.allocateDma(bytes);
    REQUIRE(buffer);
    return *buffer;
}

void BringupHost::handleInterrupts() {
    hasHandler_ = true;
    port_.setInterruptHandler([this] {
        const std::uint32_t pending = read<regs::IrqStatus>();
        write<regs::IrqStatus>(pending);
        if (regs::IrqStatus::kMessage.get(pending) != 0) {
            message_ = takeMessage();
            hasMessage_ = true;
        }
    });
    write<regs::IrqMask>(0xF);
}

void BringupHost::setBootParameters(const std::function<void(fw::BootParameters&)>& change) {
    boot_ = allocate(sizeof(fw::BootParameters));
    auto& parameters = at<fw::BootParameters>(boot_);
    parameters.magic = fw::kBootMagic;
    parameters.sizeBytes = sizeof(parameters);
    parameters.bootApiVersion = fw::kBootApiVersion;
    parameters.mailboxApiVersion = fw::kMailboxApiVersion;
    parameters.ringApiVersion = fw::kRingApiVersion;
    parameters.commandStreamVersion = read<regs::CommandStreamVersion>();
    if (change) {
        change(parameters);
    }
    write<regs::BootParametersLo>(static_cast<std::uint32_t>(boot_.busAddress));
    write<regs::BootParametersHi>(static_cast<std::uint32_t>(boot_.busAddress >> 32));
}

void BringupHost::boot() {
    if (boot_.host == nullptr) {
        setBootParameters();
    }
    write<regs::Control>(0);
    write<regs::Control>(regs::Control::kBoot.put(1));
    if (awaitMessage() && !hasHandler_) {
        takeMessage();
    }
}

bool BringupHost::awaitMessage() {
    for (int i = 0; i < kMostPolls; ++i) {
        if (hasHandler_
                    ? hasMessage_
                    : regs::MailboxOutControl::kFull.get(read<regs::MailboxOutControl>()) != 0) {
            hasMessage_ = false;
            return true;
        }
        sleep(microseconds(10));
    }
    return false;
}

fw::Message BringupHost::takeMessage(bool releases) {
    std::array<std::uint32_t, regs::kMailboxWords> words{};
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        words[i] = read<regs::MailboxOut>(i);
    }
    if (releases) {
        write<regs::MailboxOutControl>(0);
    }
    return std::bit_cast<fw::Message>(words);
}

void BringupHost::send(const fw::Message& message) {
    const auto words = std::bit_cast<std::array<std::uint32_t, regs::kMailboxWords>>(message);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        write<regs::MailboxIn>(words[i], i);
    }
    write<regs::MailboxInControl>(regs::MailboxInControl::kFull.put(1));
}

std::uint32_t BringupHost::request(fw::Message message) {
    message.requestId = ++requests_;
    hasMessage_ = false;
    send(fw::sealed(message));
    REQUIRE(awaitMessage());
    return (hasHandler_ ? message_ : takeMessage()).status;
}

void BringupHost::createContext(std::uint64_t offsetOfRoot) {
    root_ = allocate(2 * hw::kPageBytes);
    fw::Message message{};
    message.type = fw::MessageType::kCreateContext;
    message.target.context = 0;
    message.target.address = root_.busAddress + offsetOfRoot;
    request(message);
}

void BringupHost::createRing(const std::function<void(fw::RingHeader&)>& change,
                             std::uint64_t offsetOfRing) {
    ring_ = allocate(2 * hw::kPageBytes);
    auto& header = at<fw::RingHeader>(ring_, offsetOfRing);
    header.magic = fw::kRingMagic;
    header.version = fw::kRingApiVersion;
    header.slotCount = 2;
    header.completionCount = 2;
    if (change) {
        change(header);
    }
    fw::Message message{};
    message.type = fw::MessageType::kCreateRing;
    message.target.context = 0;
    message.target.ring = 0;
    message.value = 1;
    message.target.address = ring_.busAddress + offsetOfRing;
    request(message);
}

void BringupHost::setPage(std::uint64_t virtualAddress, std::uint64_t entry) {
    const driver::DmaBuffer* table = &root_;
    for (std::uint32_t level = 0; level + 1 < hw::kTableLevels; ++level) {
        driver::DmaBuffer& next = tables_[level];
        if (next.host == nullptr) {
            next = allocate(hw::kPageBytes);
            at<std::uint64_t>(*table, 8 * hw::tableIndex(virtualAddress, level)) =
                    hw::PageTableEntry::table(next.busAddress);
        }
        table = &next;
    }
    at<std::uint64_t>(*table, 8 * hw::tableIndex(virtualAddress, hw::kTableLevels - 1)) = entry;
}

void BringupHost::submit(const std::function<void(fw::JobSlot&)>& change) {
    if (page_.host == nullptr) {
        page_ = allocate(hw::kPageBytes);
        hw::CommandWriter writer;
        writer.add({}, hw::Opcode::kEnd);
        std::memcpy(page_.host, writer.bytes().data(), writer.bytes().size());
        at<fw::RegionEntry>(page_, kRegions - kCommands) = {kCommands, 8, 0, 0};
        setPage(kCommands, hw::PageTableEntry::page(page_.busAddress, false, false));
    }
    fw::JobSlot slot{};
    slot.jobId = tail_ + 1;
    slot.commandAddress = kCommands;
    slot.commandBytes = sizeof(hw::CommandHeader);
    slot.regionTableAddress = kRegions;
    slot.regionCount = 1;
    slot.commandStreamVersion = hw::kCommandStreamVersion;
    if (change) {
        change(slot);
    }
    at<fw::JobSlot>(ring_, sizeof(fw::RingHeader) + tail_ % 2 * sizeof(slot)) = slot;
    at<fw::RingHeader>(ring_).tail = ++tail_;
    write<regs::Doorbell>(tail_);
}

void BringupHost::awaitJobs() {
    auto& header = at<fw::RingHeader>(ring_);
    for (int i = 0; i < kMostPolls && header.completionTail != tail_; ++i) {
        sleep(microseconds(10));
    }
    CHECK(header.completionTail == tail_);
    header.completionHead = header.completionTail;
}

std::vector<std::string> linesOf(const std::function<void(BringupHost&)>& body) {
    const hw::NpuConfig config = sim::loadConfig("edge");
    std::vector<std::string> lines;
    sim::Lint lint([&](const std::string& line) { lines.push_back(line); });
    sim::VirtualPort port("host", config);
    hw::Device device("npu",
                      hw::Device::Options{.config = config,
                                          .firmware = fw::createFirmware(),
                                          .mayRunAhead = true,
                                          .onStaleTranslation = sim::staleTranslationSink(&lint)});
    sc_core::sc_signal<bool> line("irq");
    port.connect(device, line, &lint);
    sim::spawnHostThread(
            [&] {
                BringupHost host(port);
                body(host);
                sc_core::sc_stop();
            },
            "test");
    sc_core::sc_start();
    lint.finish(sc_core::sc_time_stamp().value());
    for (const std::string& text : lines) {
        MESSAGE(text);
    }
    return lines;
}

void checkMistake(const std::string& registerName, const std::string& rule,
                  const std::function<void(BringupHost&)>& body) {
    simCase([&] {
        const std::vector<std::string> lines = linesOf(body);
        const std::string expected = ": " + registerName + ": " + rule + ": ";
        std::size_t found = 0;
        while (found < lines.size() && lines[found].find(" mistake") == std::string::npos) {
            CHECK(lines[found].find(expected) != std::string::npos);
            ++found;
        }
        CHECK(found != 0);
        CHECK(lines.back().starts_with("lint: " + registerName + ": " + rule + ": "));
    });
}

}  // namespace vnpu::test
