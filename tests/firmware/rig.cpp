// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/rig.h"

#include <bit>

namespace vnpu::fw::test {

namespace regs = hw::regs;

Rig::Rig() : firmware_(createFirmware()) {
    parameters.magic = kBootMagic;
    parameters.sizeBytes = sizeof(BootParameters);
    parameters.bootApiVersion = kBootApiVersion;
    parameters.mailboxApiVersion = kMailboxApiVersion;
    parameters.ringApiVersion = kRingApiVersion;
    parameters.commandStreamVersion = hw::kCommandStreamVersion;
    parameters.logBytes = kLogBytes;
    parameters.logBusAddress = kLogAddress;
    parameters.heartbeatIntervalCycles = 10000;
    device.hostWrite(regs::BootParametersLo::kSpec.offset, kBootAddress);
}

void Rig::run() {
    store(kBootAddress, parameters);
    device.whenIdle([this] { takeMessage(); });
    firmware_->run(device);
}

void Rig::step(std::function<void()> action) {
    device.whenIdle([this, action = std::move(action)] {
        takeMessage();
        action();
    });
}

void Rig::takeMessage() {
    if (!takesMessages || device.hostRead(regs::MailboxOutControl::kSpec.offset) == 0) {
        return;
    }
    std::array<std::uint32_t, regs::kMailboxWords> words{};
    for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
        words[i] = device.hostRead(regs::MailboxOut::kSpec.at(i));
    }
    messages.push_back(std::bit_cast<Message>(words));
    bool isRepeated = false;
    areSealsIntact = unseal(messages.back(), isRepeated) && areSealsIntact;
    device.hostWrite(regs::IrqStatus::kSpec.offset, regs::IrqStatus::kMessage.mask());
    device.hostWrite(regs::MailboxOutControl::kSpec.offset, 0);
}

void Rig::post(const Message& request) {
    postSealed(sealed(request));
}

void Rig::postSealed(const Message& request) {
    const auto words = std::bit_cast<std::array<std::uint32_t, regs::kMailboxWords>>(request);
    for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
        device.hostWrite(regs::MailboxIn::kSpec.at(i), words[i]);
    }
    device.hostWrite(regs::MailboxInControl::kSpec.offset, 1);
}

void Rig::ask(const Message& request) {
    step([this, request] { post(request); });
}

void Rig::makeRing(std::uint32_t ring, std::uint32_t context, PriorityBand band,
                   std::uint32_t slots, std::uint32_t completionSlots) {
    RingHeader header{};
    header.magic = kRingMagic;
    header.version = kRingApiVersion;
    header.slotCount = slots;
    header.completionCount = completionSlots;
    setRingHeader(ring, header);
    if (!contexts_[context]) {
        ask(createContext(context, kRootAddress + context * 4096ULL));
        contexts_[context] = true;
    }
    ask(createRing(ring, context, static_cast<std::uint32_t>(band), ringAddress(ring)));
}

RingHeader Rig::ringHeader(std::uint32_t ring) {
    return load<RingHeader>(ringAddress(ring));
}

void Rig::setRingHeader(std::uint32_t ring, const RingHeader& header) {
    store(ringAddress(ring), header);
}

std::uint64_t Rig::allocate(std::size_t bytes) {
    const std::uint64_t place = heapTop_;
    heapTop_ += (bytes + 4095) / 4096 * 4096;
    return place;
}

JobSlot Rig::makeJob(std::uint64_t jobId, std::span<const std::byte> stream,
                     std::span<const Region> regions) {
    const std::uint64_t streamAddress = allocate(stream.size());
    std::memcpy(device.memory(streamAddress, stream.size()).data(), stream.data(), stream.size());

    const Region standard{0, 4096, true};
    std::vector<Region> table(regions.begin(), regions.end());
    if (table.empty()) {
        table.push_back(standard);
        table[0].address = virtualOf(allocate(4096));
    }
    const std::uint64_t tableAddress = allocate(table.size() * sizeof(RegionEntry));
    for (std::size_t i = 0; i < table.size(); ++i) {
        const RegionEntry entry{table[i].address, table[i].sizeBytes,
                                table[i].isWritable ? kRegionWritable : 0, 0};
        store(tableAddress + i * sizeof(entry), entry);
    }
    JobSlot slot{};
    slot.jobId = jobId;
    slot.commandAddress = virtualOf(streamAddress);
    slot.regionTableAddress = virtualOf(tableAddress);
    slot.commandBytes = static_cast<std::uint32_t>(stream.size());
    slot.regionCount = static_cast<std::uint32_t>(table.size());
    slot.fenceValue = jobId * 10;
    slot.commandStreamVersion = hw::kCommandStreamVersion;
    return slot;
}

JobSlot Rig::smallJob(std::uint64_t jobId) {
    hw::CommandWriter writer;
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add({}, hw::Opcode::kEnd);
    return makeJob(jobId, writer);
}

void Rig::put(std::uint32_t ring, const JobSlot& slot) {
    RingHeader header = ringHeader(ring);
    store(ringAddress(ring) + sizeof(RingHeader) + (header.tail % header.slotCount) * sizeof(slot),
          slot);
    ++header.tail;
    setRingHeader(ring, header);
}

void Rig::bell(std::uint32_t ring) {
    device.hostWrite(regs::Doorbell::kSpec.at(ring), ringHeader(ring).tail);
}

void Rig::readCompletions(std::uint32_t ring) {
    RingHeader header = ringHeader(ring);
    const std::uint64_t records =
            ringAddress(ring) + sizeof(RingHeader) + header.slotCount * sizeof(JobSlot);
    for (; header.completionHead != header.completionTail; ++header.completionHead) {
        const std::uint64_t index = header.completionHead % header.completionCount;
        completions.push_back(load<CompletionRecord>(records + index * sizeof(CompletionRecord)));
    }
    setRingHeader(ring, header);
}

std::vector<LogRecord> Rig::log() {
    const auto header = load<LogHeader>(kLogAddress);
    std::vector<LogRecord> records;
    const std::uint64_t first =
            header.written > header.recordCount ? header.written - header.recordCount : 0;
    for (std::uint64_t i = first; i < header.written; ++i) {
        const std::uint64_t place = i % header.recordCount * sizeof(LogRecord);
        records.push_back(load<LogRecord>(kLogAddress + sizeof(LogHeader) + place));
    }
    return records;
}

Message request(MessageType type, std::uint32_t id) {
    Message message{};
    message.type = type;
    message.requestId = id;
    return message;
}

Message createContext(std::uint32_t context, std::uint64_t rootAddress) {
    Message message = request(MessageType::kCreateContext, 1000 + context);
    message.target.context = context;
    message.target.address = rootAddress;
    return message;
}

Message destroyContext(std::uint32_t context) {
    Message message = request(MessageType::kDestroyContext, 2000 + context);
    message.target.context = context;
    return message;
}

Message createRing(std::uint32_t ring, std::uint32_t context, std::uint32_t band,
                   std::uint64_t address) {
    Message message = request(MessageType::kCreateRing, 3000 + ring);
    message.target.ring = ring;
    message.target.context = context;
    message.target.address = address;
    message.value = band;
    return message;
}

Message destroyRing(std::uint32_t ring) {
    Message message = request(MessageType::kDestroyRing, 4000 + ring);
    message.target.ring = ring;
    return message;
}

hw::DmaFill smallFill() {
    hw::DmaFill work{};
    work.destination.space = hw::kSpaceSram;
    work.rowBytes = 64;
    work.counts[0] = work.counts[1] = work.counts[2] = 1;
    work.patternBytes = 1;
    return work;
}

hw::CommandContext onEngine(hw::Engine engine, std::span<const hw::TokenWait> waits) {
    hw::CommandContext context;
    context.engine = engine;
    context.waits = waits;
    return context;
}

}  // namespace vnpu::fw::test
