// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/blocks/device_bench.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <span>

namespace vnpu::test {

using namespace hw;

std::vector<EngineCommandRecord> RecordingObserver::of(Engine engine) const {
    std::vector<EngineCommandRecord> found;
    std::copy_if(commands.begin(), commands.end(), std::back_inserter(found),
                 [&](const EngineCommandRecord& record) { return record.engine == engine; });
    return found;
}

void ScriptProgram::run(ControllerPort& port) {
    script_(port);
    const std::uint32_t status = regs::ControllerIrqStatus::kSpec.offset;
    while (true) {
        const std::uint32_t pending = port.read32(status);
        if (regs::ControllerIrqStatus::kReset.get(pending) != 0) {
            return;
        }
        port.write32(status, pending);
        port.waitForInterrupt(0);
    }
}

TokenWait waitFor(Engine engine, std::uint32_t count) {
    TokenWait wait{};
    wait.count = count & 0xFFFFFFU;
    wait.engine = static_cast<std::uint8_t>(engine);
    return wait;
}

void startJob(ControllerPort& port, const std::vector<Region>& regions) {
    const auto bytes = std::as_bytes(std::span(regions));
    std::copy(bytes.begin(), bytes.end(), port.localMemory().begin() + kRegionTable);
    port.write32(regs::JobRegionTable::kSpec.offset, kRegionTable);
    port.write32(regs::JobStart::kSpec.offset, kContext);
}

namespace {

std::uint32_t tokensOf(ControllerPort& port, std::uint32_t engine) {
    return port.read32(regs::EngineTokens::kSpec.at(engine));
}

// Sleeps until the engine has posted `tokens` tokens or another interrupt arrives; returns
// immediately if it has posted them already.
void sleepUntil(ControllerPort& port, std::uint32_t engine, std::uint32_t tokens) {
    port.write32(regs::EngineWatch::kSpec.offset,
                 regs::EngineWatch::kEngine.put(engine) | regs::EngineWatch::kTokens.put(tokens));
    if (tokensOf(port, engine) < tokens) {
        port.waitForInterrupt(0);
    }
}

}  // namespace

void pushAll(ControllerPort& port, const CommandList& list) {
    std::array<std::uint32_t, kEngineCount> free{};
    std::uint32_t slot = 0;
    for (const CommandList::Item& item : list.items()) {
        const auto engine = static_cast<std::uint32_t>(engineIndex(item.engine));
        while (free[engine] == 0) {
            const std::uint32_t status = regs::ControllerIrqStatus::kSpec.offset;
            port.write32(status, port.read32(status));
            const std::uint32_t tokens = tokensOf(port, engine);
            free[engine] = port.read32(regs::EngineFree::kSpec.at(engine));
            if (free[engine] == 0) {
                sleepUntil(port, engine, tokens + 1);
            }
        }
        --free[engine];
        const std::uint32_t offset = slot * kCommandSlotBytes;
        slot = (slot + 1) % (kRegionTable / kCommandSlotBytes);
        std::copy(item.bytes.begin(), item.bytes.end(), port.localMemory().begin() + offset);
        port.write32(regs::EnginePush::kSpec.at(engine), offset);
    }
}

std::uint32_t waitForAll(ControllerPort& port, const CommandList& list) {
    std::array<std::uint32_t, kEngineCount> expected{};
    for (const CommandList::Item& item : list.items()) {
        ++expected[engineIndex(item.engine)];
    }
    const std::uint32_t status = regs::ControllerIrqStatus::kSpec.offset;
    while (true) {
        port.write32(status, port.read32(status));
        std::uint32_t late = 0;
        while (late < kEngineCount &&
               (expected[late] == 0 || tokensOf(port, late) >= expected[late])) {
            ++late;
        }
        const std::uint32_t error = port.read32(regs::EngineError::kSpec.offset);
        if (late == kEngineCount || error != 0) {
            return error;
        }
        sleepUntil(port, late, expected[late]);
    }
}

namespace {

std::unique_ptr<ControllerProgram> programOf(DeviceBench::Options& options) {
    return options.program != nullptr ? std::move(options.program)
                                      : std::make_unique<ScriptProgram>(std::move(options.script));
}

}  // namespace

DeviceBench::DeviceBench(Options options, const sc_core::sc_module_name& name)
    : sc_module(name),
      memory("memory", options.memoryBytes, options.grantsPointers),
      device("device",
             {options.config, programOf(options), options.isObserved ? &observer : nullptr,
              options.faults, options.mayRunAhead}),
      host("host"),
      rootTable_(MemoryTarget::kBase + options.memoryBytes - (1U << 20)),
      nextTable_(rootTable_ + kPageBytes) {
    host.bind(device.registers);
    device.memory.bind(memory.socket);
    device.irq.bind(irq);
    SC_METHOD(tick);
    sensitive << tickEvent_;
    dont_initialize();
}

void DeviceBench::startTicking() {
    tickEvent_.notify(device.cycleTime());
}

void DeviceBench::tick() {
    tickEvent_.notify(device.cycleTime());
}

tlm::tlm_response_status DeviceBench::access(bool isWrite, std::uint64_t address, void* bytes,
                                             unsigned count) {
    tlm::tlm_generic_payload payload;
    payload.set_command(isWrite ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(bytes));
    payload.set_data_length(count);
    payload.set_streaming_width(count);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    host->b_transport(payload, delay);
    return payload.get_response_status();
}

std::uint32_t DeviceBench::read(std::uint32_t offset) {
    std::uint32_t value = 0;
    REQUIRE(access(false, offset, &value, sizeof(value)) == tlm::TLM_OK_RESPONSE);
    return value;
}

void DeviceBench::write(std::uint32_t offset, std::uint32_t value) {
    REQUIRE(access(true, offset, &value, sizeof(value)) == tlm::TLM_OK_RESPONSE);
}

void DeviceBench::boot() {
    write(regs::Control::kSpec.offset, 0);
    write(regs::Control::kSpec.offset, regs::Control::kBoot.mask());
}

void DeviceBench::run(std::uint64_t cycles) {
    sc_core::sc_start(sc_core::sc_time::from_value(device.cycleTime().value() * cycles));
    device.finishWork();
}

bool DeviceBench::runUntil(const std::function<bool()>& condition, std::uint64_t cycles) {
    constexpr std::uint64_t kStep = 16;
    for (std::uint64_t passed = 0; passed < cycles; passed += kStep) {
        if (condition()) {
            return true;
        }
        run(kStep);
    }
    return condition();
}

std::uint64_t DeviceBench::cycle() const {
    return sc_core::sc_time_stamp().value() / device.cycleTime().value();
}

std::uint64_t DeviceBench::perf(regs::PerfEvent event) {
    const std::uint32_t offset = regs::PerfCounter::kSpec.at(static_cast<std::uint32_t>(event));
    return read(offset) | (std::uint64_t{read(offset + 4)} << 32);
}

std::uint64_t DeviceBench::entryAddress(std::uint64_t virtualAddress) {
    std::uint64_t table = rootTable_;
    for (std::uint32_t level = 0; level + 1 < kTableLevels; ++level) {
        const std::uint64_t address =
                table + tableIndex(virtualAddress, level) * sizeof(std::uint64_t);
        auto entry = memory.load<std::uint64_t>(address);
        if ((entry & PageTableEntry::kValid) == 0) {
            entry = PageTableEntry::table(nextTable_);
            nextTable_ += kPageBytes;
            memory.store(address, entry);
        }
        table = PageTableEntry::address(entry);
    }
    return table + tableIndex(virtualAddress, kTableLevels - 1) * sizeof(std::uint64_t);
}

void DeviceBench::map(std::uint64_t virtualAddress, std::uint64_t busAddress, std::uint64_t bytes,
                      bool isWritable, bool isLarge) {
    for (std::uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
        memory.store(entryAddress(virtualAddress + offset),
                     PageTableEntry::page(busAddress + offset, isWritable, isLarge));
    }
}

void DeviceBench::unmap(std::uint64_t virtualAddress) {
    memory.store(entryAddress(virtualAddress), std::uint64_t{0});
}

void DeviceBench::setRoot(ControllerPort& port) const {
    port.write32(regs::ContextRootLo::kSpec.at(kContext), static_cast<std::uint32_t>(rootTable_));
    port.write32(regs::ContextRootHi::kSpec.at(kContext),
                 static_cast<std::uint32_t>(rootTable_ >> 32));
}

}  // namespace vnpu::test
