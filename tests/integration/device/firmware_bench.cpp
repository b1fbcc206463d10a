// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/device/firmware_bench.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "firmware/api/boot.h"
#include "firmware/core/firmware.h"

namespace vnpu::test {

namespace {

constexpr std::uint32_t kLogBytes = 64 * 1024;
constexpr std::uint32_t kSlots = 16;

}  // namespace

DeviceBench::Options FirmwareBench::makeOptions(const hw::NpuConfig& config,
                                                hw::FaultInjector* faults) {
    Options options;
    options.config = config;
    options.program = fw::createFirmware();
    options.memoryBytes = kMemoryBytes;
    options.faults = faults;
    return options;
}

FirmwareBench::FirmwareBench(const hw::NpuConfig& config, const sc_core::sc_module_name& name,
                             hw::FaultInjector* faults)
    : DeviceBench(makeOptions(config, faults), name), heapTop_(MemoryTarget::kBase) {
    map(kAllVa, MemoryTarget::kBase, kMemoryBytes, true, true);
}

std::uint64_t FirmwareBench::allocate(std::uint64_t bytes) {
    constexpr std::uint64_t kPlace = 0x10000;
    const std::uint64_t place = heapTop_;
    heapTop_ += (bytes + kPlace - 1) / kPlace * kPlace;
    REQUIRE(heapTop_ <= rootTable());
    return place;
}

void FirmwareBench::start() {
    logBus_ = allocate(kLogBytes);
    parametersBus_ = allocate(sizeof(fw::SchedulingParameters));
    fw::BootParameters parameters{};
    parameters.magic = fw::kBootMagic;
    parameters.sizeBytes = sizeof(parameters);
    parameters.bootApiVersion = fw::kBootApiVersion;
    parameters.mailboxApiVersion = fw::kMailboxApiVersion;
    parameters.ringApiVersion = fw::kRingApiVersion;
    parameters.commandStreamVersion = hw::kCommandStreamVersion;
    parameters.logBytes = kLogBytes;
    parameters.logBusAddress = logBus_;
    const std::uint64_t place = allocate(sizeof(parameters));
    memory.store(place, parameters);
    write(hw::regs::Control::kSpec.offset, 0);
    write(hw::regs::BootParametersLo::kSpec.offset, static_cast<std::uint32_t>(place));
    write(hw::regs::BootParametersHi::kSpec.offset, static_cast<std::uint32_t>(place >> 32));
    write(hw::regs::Control::kSpec.offset, hw::regs::Control::kBoot.mask());
    REQUIRE(runUntil([&] { return read(hw::regs::MailboxOutControl::kSpec.offset) != 0; },
                     kLimitCycles));
    write(hw::regs::MailboxOutControl::kSpec.offset, 0);
    fw::Message request{};
    request.type = fw::MessageType::kCreateContext;
    request.target.context = kContext;
    request.target.address = rootTable();
    REQUIRE(ask(request).status == 0);
}

fw::Message FirmwareBench::ask(fw::Message request) {
    const auto words =
            std::bit_cast<std::array<std::uint32_t, hw::regs::kMailboxWords>>(fw::sealed(request));
    for (std::uint32_t i = 0; i < hw::regs::kMailboxWords; ++i) {
        write(hw::regs::MailboxIn::kSpec.at(i), words[i]);
    }
    write(hw::regs::MailboxInControl::kSpec.offset, 1);
    REQUIRE(runUntil([&] { return read(hw::regs::MailboxOutControl::kSpec.offset) != 0; },
                     kLimitCycles));
    std::array<std::uint32_t, hw::regs::kMailboxWords> reply{};
    for (std::uint32_t i = 0; i < hw::regs::kMailboxWords; ++i) {
        reply[i] = read(hw::regs::MailboxOut::kSpec.at(i));
    }
    write(hw::regs::MailboxOutControl::kSpec.offset, 0);
    auto answer = std::bit_cast<fw::Message>(reply);
    bool isRepeated = false;
    REQUIRE(fw::unseal(answer, isRepeated));
    return answer;
}

void FirmwareBench::setScheduling(const fw::SchedulingParameters& parameters) {
    memory.store(parametersBus_, parameters);
    fw::Message request{};
    request.type = fw::MessageType::kSetScheduling;
    request.target.address = parametersBus_;
    REQUIRE(ask(request).status == 0);
}

void FirmwareBench::makeRing(std::uint32_t ring, fw::PriorityBand band) {
    rings_[ring] = allocate(fw::ringBytes(kSlots, kSlots));
    fw::RingHeader header{};
    header.magic = fw::kRingMagic;
    header.version = fw::kRingApiVersion;
    header.slotCount = header.completionCount = kSlots;
    memory.store(rings_[ring], header);
    fw::Message request{};
    request.type = fw::MessageType::kCreateRing;
    request.value = static_cast<std::uint32_t>(band);
    request.target.context = kContext;
    request.target.ring = ring;
    request.target.address = rings_[ring];
    REQUIRE(ask(request).status == 0);
}

fw::JobSlot FirmwareBench::makeJob(std::uint64_t jobId, const hw::CommandWriter& writer,
                                   std::uint64_t regionBus, std::uint64_t regionBytes) {
    const std::vector<std::byte>& stream = writer.bytes();
    const std::uint64_t streamBus = allocate(stream.size());
    std::copy(stream.begin(), stream.end(), memory.at(streamBus));
    const std::uint64_t tableBus = allocate(sizeof(fw::RegionEntry));
    memory.store(tableBus, fw::RegionEntry{vaOf(regionBus), regionBytes, fw::kRegionWritable, 0});
    fw::JobSlot slot{};
    slot.jobId = jobId;
    slot.commandAddress = vaOf(streamBus);
    slot.commandBytes = static_cast<std::uint32_t>(stream.size());
    slot.regionTableAddress = vaOf(tableBus);
    slot.regionCount = 1;
    slot.commandStreamVersion = hw::kCommandStreamVersion;
    return slot;
}

std::uint64_t FirmwareBench::addSaveArea(fw::JobSlot& slot, std::uint64_t bytes,
                                         bool inLargePages) {
    const std::uint64_t bus = allocate(bytes);
    map(saveTop_, bus, bytes, true, inLargePages);
    slot.saveAddress = saveTop_;
    slot.saveBytes = bytes;
    saveTop_ += 1ULL << 30;
    return bus;
}

void FirmwareBench::submit(std::uint32_t ring, const fw::JobSlot& slot) {
    auto header = memory.load<fw::RingHeader>(rings_[ring]);
    memory.store(rings_[ring] + sizeof(header) + header.tail % kSlots * sizeof(slot), slot);
    ++header.tail;
    memory.store(rings_[ring], header);
    write(hw::regs::Doorbell::kSpec.at(ring), header.tail);
}

std::vector<fw::CompletionRecord> FirmwareBench::finish(std::uint32_t ring, std::size_t jobs) {
    const std::uint64_t place = rings_[ring];
    const std::uint32_t first = memory.load<fw::RingHeader>(place).completionHead;
    REQUIRE(runUntil(
            [&] { return memory.load<fw::RingHeader>(place).completionTail - first >= jobs; },
            kLimitCycles));
    const std::uint64_t records = place + sizeof(fw::RingHeader) + kSlots * sizeof(fw::JobSlot);
    std::vector<fw::CompletionRecord> result;
    auto header = memory.load<fw::RingHeader>(place);
    for (; header.completionHead != first + jobs; ++header.completionHead) {
        result.push_back(memory.load<fw::CompletionRecord>(
                records + header.completionHead % kSlots * sizeof(fw::CompletionRecord)));
    }
    memory.store(place, header);
    return result;
}

bool FirmwareBench::runToMark(std::string_view event) {
    const auto count = [&] {
        return std::count_if(observer.events.begin(), observer.events.end(),
                             [&](const auto& mark) { return mark.second == event; });
    };
    const auto before = count();
    return runUntil([&] { return count() > before; }, kLimitCycles);
}

std::size_t FirmwareBench::countOf(fw::LogEvent event) {
    const auto header = memory.load<fw::LogHeader>(logBus_);
    REQUIRE(header.written <= header.recordCount);
    std::size_t found = 0;
    for (std::uint64_t i = 0; i < header.written; ++i) {
        const std::uint64_t place = logBus_ + sizeof(header) + i * sizeof(fw::LogRecord);
        found += memory.load<fw::LogRecord>(place).event == event ? 1 : 0;
    }
    return found;
}

std::vector<std::byte> FirmwareBench::bytesAt(std::uint64_t busAddress, std::uint64_t bytes) {
    return {memory.at(busAddress), memory.at(busAddress) + bytes};
}

fw::SchedulingParameters scheduling(fw::Policy policy, fw::Mechanism mechanism,
                                    std::uint32_t flags) {
    fw::SchedulingParameters parameters{};
    parameters.sizeBytes = sizeof(parameters);
    parameters.policy = policy;
    parameters.mechanism = mechanism;
    parameters.flags = flags;
    return parameters;
}

}  // namespace vnpu::test
