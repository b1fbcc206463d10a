// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/resident_memory.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint64_t kBase = 0x4000'0000;
constexpr std::uint64_t kWalk = kWalkCycles;

ResidentMemory eightKib() {
    return ResidentMemory(SramConfig{.residentKib = 8});
}

tlm::tlm_response_status access(ResidentMemory& memory, tlm::tlm_command command,
                                std::uint64_t address, void* bytes, unsigned count) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(bytes));
    payload.set_data_length(count);
    payload.set_streaming_width(count);
    memory.transport(payload);
    return payload.get_response_status();
}

NpuConfig withResident(std::uint32_t kib) {
    NpuConfig config;
    config.sram.residentKib = kib;
    return config;
}

/// A job bench whose region 1 begins in the resident memory and continues in system memory.
struct ResidentBench : JobBench {
    explicit ResidentBench(CommandList list, NpuConfig config = withResident(64))
        : JobBench(std::move(list), std::move(config)) {
        map(smallPagesVa(), kBase, 0x10000);
    }

    std::byte hostRead(std::uint64_t offset) {
        std::byte value{0xEE};
        CHECK(access(false, kBase + offset, &value, 1) == tlm::TLM_OK_RESPONSE);
        return value;
    }
    void hostFill(std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < bytes; ++i) {
            std::byte value = pattern(i);
            CHECK(access(true, kBase + i, &value, 1) == tlm::TLM_OK_RESPONSE);
        }
    }
    static std::byte pattern(std::uint64_t i) { return static_cast<std::byte>(i * 5 + (i >> 8)); }
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/resident_memory");

TEST_CASE("the window accesses only its own bytes [MD-2]") {
    const ResidentMemory memory = eightKib();
    CHECK(memory.holds(kBase, 1));
    CHECK(memory.holds(kBase, 8192));
    CHECK(memory.holds(kBase + 8191, 1));
    CHECK_FALSE(memory.holds(kBase, 8193));
    CHECK_FALSE(memory.holds(kBase + 8191, 2));
    CHECK_FALSE(memory.holds(kBase + 8192, 1));
    CHECK_FALSE(memory.holds(kBase - 1, 2));
    CHECK_FALSE(memory.holds(kBase, 0));
    CHECK_FALSE(memory.holds(kBase + 1, ~0ULL));
    CHECK_FALSE(memory.holds(~0ULL, 2));
    CHECK_FALSE(ResidentMemory(SramConfig{}).holds(kBase, 1));
}

TEST_CASE("host accesses of any length within the window are allowed [E-1]") {
    ResidentMemory memory = eightKib();
    std::array<std::byte, 100> bytes{};
    bytes.fill(std::byte{7});
    CHECK(access(memory, tlm::TLM_WRITE_COMMAND, kBase + 3, bytes.data(), 100) ==
          tlm::TLM_OK_RESPONSE);
    std::array<std::byte, 3> some{};
    CHECK(access(memory, tlm::TLM_READ_COMMAND, kBase + 101, some.data(), 3) ==
          tlm::TLM_OK_RESPONSE);
    CHECK(some == std::array{std::byte{7}, std::byte{7}, std::byte{0}});
}

TEST_CASE("accesses that leave the window, masked or streamed ones are refused [E-1]") {
    ResidentMemory memory = eightKib();
    std::array<std::byte, 4> bytes{};
    CHECK(access(memory, tlm::TLM_READ_COMMAND, kBase + 8190, bytes.data(), 4) ==
          tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(access(memory, tlm::TLM_WRITE_COMMAND, kBase, bytes.data(), 0) ==
          tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(kBase);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(bytes.data()));
    payload.set_data_length(4);
    payload.set_streaming_width(2);
    memory.transport(payload);
    CHECK(payload.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
    payload.set_streaming_width(4);
    payload.set_byte_enable_ptr(payload.get_data_ptr());
    memory.transport(payload);
    CHECK(payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST_CASE("the host gets pointers to the window, but not to registers [E-1]") {
    simCase([] {
        DeviceBench bench({.config = withResident(8)});
        tlm::tlm_generic_payload payload;
        tlm::tlm_dmi grant;
        payload.set_address(kBase + 100);
        REQUIRE(bench.host->get_direct_mem_ptr(payload, grant));
        CHECK(grant.get_start_address() == kBase);
        CHECK(grant.get_end_address() == kBase + 8191);
        CHECK(grant.is_read_write_allowed());
        *(grant.get_dmi_ptr() + 8191) = 42;
        std::byte value{};
        CHECK(bench.access(false, kBase + 8191, &value, 1) == tlm::TLM_OK_RESPONSE);
        CHECK(value == std::byte{42});
        payload.set_address(0);
        CHECK_FALSE(bench.host->get_direct_mem_ptr(payload, grant));
        payload.set_address(kBase + 8192);
        CHECK_FALSE(bench.host->get_direct_mem_ptr(payload, grant));
    });
}

TEST_CASE("a device reports its window; without one the addresses are unused [E-1]") {
    simCase([] {
        DeviceBench bench({.config = withResident(0)});
        CHECK(bench.read(0x0140) == 0x400U << 16);
        std::byte value{};
        CHECK(bench.access(false, kBase, &value, 1) != tlm::TLM_OK_RESPONSE);
    });
}

TEST_CASE("a reset keeps the contents [MD-2]") {
    simCase([] {
        DeviceBench bench({.config = withResident(8)});
        CHECK(bench.read(0x0140) == (8U | 0x400U << 16));
        std::byte value{0x5A};
        CHECK(bench.access(true, kBase + 5, &value, 1) == tlm::TLM_OK_RESPONSE);
        bench.boot();
        bench.run(100);
        bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
        bench.run(1000);
        value = {};
        CHECK(bench.access(false, kBase + 5, &value, 1) == tlm::TLM_OK_RESPONSE);
        CHECK(value == std::byte{0x5A});
        CHECK(bench.read(0x0140) == (8U | 0x400U << 16));
    });
}

TEST_CASE("a debugger reads and writes the contents [E-1]") {
    simCase([] {
        DeviceBench bench({.config = withResident(8)});
        std::array<unsigned char, 6> bytes{1, 2, 3, 4, 5, 6};
        tlm::tlm_generic_payload payload;
        payload.set_address(kBase + 8000);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(6);
        payload.set_command(tlm::TLM_WRITE_COMMAND);
        CHECK(bench.host->transport_dbg(payload) == 6);
        bytes.fill(0);
        payload.set_command(tlm::TLM_READ_COMMAND);
        CHECK(bench.host->transport_dbg(payload) == 6);
        CHECK(bytes[5] == 6);
        payload.set_address(kBase + 8187);
        CHECK(bench.host->transport_dbg(payload) == 0);
    });
}

TEST_CASE("loads and stores take the time of SRAM and move no DRAM bytes [MD-2] [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 4096));
        list.add(Engine::kDma2, copyBytes(inSram(0), inRegion(0x1001, 1), 4000),
                 {waitFor(Engine::kDma0, 1)});
        ResidentBench bench(list);
        bench.hostFill(4096);
        CHECK(bench.runJob() == 0);
        const auto load = bench.observer.of(Engine::kDma0).at(0);
        const auto store = bench.observer.of(Engine::kDma2).at(0);
        // Start-up 8, 16 bytes per cycle, the page's walk; rows are not rounded up to bursts.
        CHECK(cyclesOf(load) == 8 + 4096 / 16 + kWalk);
        CHECK(cyclesOf(store) == 8 + 4000 / 16 + kWalk);
        CHECK(load.busyCycles == 8 + 4096 / 16);
        CHECK(load.dramBytes == 0);
        CHECK(load.sramBytes == 2 * 4096);
        CHECK(store.dramBytes == 0);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesRead) == 0);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesWritten) == 0);
        int wrong = 0;
        for (std::uint64_t i = 0; i < 4000; ++i) {
            wrong += bench.hostRead(0x1001 + i) == ResidentBench::pattern(i) ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK(bench.hostRead(0x1000) == std::byte{0});
        CHECK(bench.hostRead(0x1001 + 4000) == std::byte{0});
    });
}

TEST_CASE("timing-only mode takes the same time [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 4096));
        NpuConfig config = withResident(64);
        config.timingOnly = true;
        ResidentBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDma0).at(0)) == 8 + 4096 / 16 + kWalk);
    });
}

TEST_CASE("a copy within the memory shares its port, a fill does not [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inRegion(0x2000, 1), 4096));
        list.add(Engine::kDma0, fillBytes(inRegion(0x4000, 1), 4096, 0x11, 1));
        NpuConfig config = withResident(64);
        config.sram.portBytes = 16;
        ResidentBench bench(list, config);
        bench.hostFill(4096);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kDma0);
        CHECK(cyclesOf(records.at(0)) == 8 + 4096 / 8 + 2 * kWalk);
        CHECK(records.at(0).sramBytes == 2 * 4096);
        CHECK(cyclesOf(records.at(1)) == 8 + 4096 / 16 + kWalk);
        CHECK(bench.hostRead(0x2000 + 777) == ResidentBench::pattern(777));
        CHECK(bench.hostRead(0x4000 + 4095) == std::byte{0x11});
    });
}

TEST_CASE("a copy to memory takes the time of memory, once [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inRegion(0x8000), 4096));
        ResidentBench bench(list);
        bench.hostFill(4096);
        CHECK(bench.runJob() == 0);
        const auto record = bench.observer.of(Engine::kDma0).at(0);
        CHECK(cyclesOf(record) == 8 + 100 + 4 + 4096 / 4 + 2 * kWalk);
        CHECK(record.dramBytes == 4096);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesRead) == 0);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesWritten) == 4096);
        CHECK(*bench.memory.at(JobBench::bus(0x8000 + 4000)) == ResidentBench::pattern(4000));
    });
}

TEST_CASE("a side that is only partly resident takes the time of memory [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0xF000, 1), inSram(0), 8192));
        list.add(Engine::kDma0, copyBytes(inSram(0), inRegion(0x20000), 8192));
        ResidentBench bench(list);
        std::byte last{0x77};
        CHECK(bench.access(true, kBase + 0xFFFF, &last, 1) == tlm::TLM_OK_RESPONSE);
        *bench.memory.at(JobBench::bus(0x10000)) = std::byte{0x66};
        CHECK(bench.runJob() == 0);
        const auto record = bench.observer.of(Engine::kDma0).at(0);
        CHECK(cyclesOf(record) == 8 + 100 + 4 + 8192 / 4 + 2 * kWalk);
        CHECK(record.dramBytes == 8192);
        CHECK(*bench.memory.at(JobBench::bus(0x20FFF)) == std::byte{0x77});
        CHECK(*bench.memory.at(JobBench::bus(0x21000)) == std::byte{0x66});
    });
}

TEST_CASE("rows may alternate between system memory and resident memory [E-2] [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyRows(inRegion(0x20000 + 50, 1), inSram(0), 100, 4, 4096, 100));
        list.add(Engine::kDma0, copyBytes(inSram(0), inRegion(0x40000), 400));
        ResidentBench bench(list);
        const std::uint64_t rows = JobBench::smallPagesVa() + 0x20000;
        bench.map(rows, JobBench::bus(0x30000), 4096);
        bench.map(rows + 0x1000, kBase, 4096);
        bench.map(rows + 0x2000, JobBench::bus(0x38000), 4096);
        bench.map(rows + 0x3000, kBase + 0x5000, 4096);
        bench.hostFill(0x6000);
        for (std::uint64_t i = 0; i < 100; ++i) {
            *bench.memory.at(JobBench::bus(0x30000 + 50 + i)) = static_cast<std::byte>(i);
            *bench.memory.at(JobBench::bus(0x38000 + 50 + i)) = static_cast<std::byte>(i + 100);
        }
        CHECK(bench.runJob() == 0);
        // The side counts as memory, like every side that lies only partly in resident memory.
        CHECK(bench.observer.of(Engine::kDma0).at(0).dramBytes == 400);
        int wrong = 0;
        for (std::uint64_t i = 0; i < 100; ++i) {
            const std::byte expected[4] = {
                    static_cast<std::byte>(i), ResidentBench::pattern(50 + i),
                    static_cast<std::byte>(i + 100), ResidentBench::pattern(0x5000 + 50 + i)};
            for (std::uint64_t row = 0; row < 4; ++row) {
                wrong += *bench.memory.at(JobBench::bus(0x40000 + row * 100 + i)) == expected[row]
                                 ? 0
                                 : 1;
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("transfers share its port like that of any bank [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 4096));
        list.add(Engine::kDma1, copyBytes(inRegion(0x1000, 1), inSram(0x20000), 4096));
        NpuConfig config = withResident(64);
        config.sram.portBytes = 16;
        ResidentBench bench(list, config);
        CHECK(bench.runJob() == 0);
        const auto first = bench.observer.of(Engine::kDma0).at(0);
        const auto second = bench.observer.of(Engine::kDma1).at(0);
        REQUIRE(second.startCycle < first.endCycle);
        CHECK(first.sramStallCycles == 0);
        // Each asks for 256 of the 264 cycles that it takes: 2 * 0.9697 of the port, as long as the
        // first still takes.
        const auto together = static_cast<double>(first.startCycle + 264 - second.startCycle);
        CHECK(second.sramStallCycles == std::ceil(together * (2 * 256.0 / 264 - 1)));
        CHECK(second.sramStallCycles > 200);
        CHECK(cyclesOf(second) == 264 + second.sramStallCycles + kWalk);
    });
}

TEST_CASE("a finished transfer no longer uses the port [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 4096));
        list.add(Engine::kDma1, copyBytes(inRegion(0, 1), inSram(0x20000), 4096),
                 {waitFor(Engine::kDma0, 1)});
        NpuConfig config = withResident(64);
        config.sram.portBytes = 16;
        ResidentBench bench(list, config);
        CHECK(bench.runJob() == 0);
        CHECK(bench.observer.of(Engine::kDma1).at(0).sramStallCycles == 0);
    });
}

TEST_CASE("addresses after its end belong to the bus, where nothing is connected [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0x1000, 1), inSram(0), 8192));
        ResidentBench bench(list, withResident(8));
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBusError);
        CHECK(bench.memory.transports() > 0);
    });
}

TEST_CASE("a read-only page is not written [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, fillBytes(inRegion(0, 1), 64, 0xFF, 1));
        ResidentBench bench(list);
        bench.map(JobBench::smallPagesVa(), kBase, 4096, false);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
        CHECK(bench.hostRead(0) == std::byte{0});
    });
}

TEST_CASE("the controller accesses it by bus address without using the bus [E-1]") {
    simCase([] {
        std::array<std::byte, 16> bytes{};
        DeviceBench::Options options{.config = withResident(8)};
        options.script = [&](ControllerPort& port) {
            bytes.fill(std::byte{9});
            CHECK(port.writeMemory(ControllerPort::kPhysical, kBase + 64, bytes) == JobStatus::kOk);
            bytes.fill(std::byte{0});
            CHECK(port.readMemory(ControllerPort::kPhysical, kBase + 64, bytes) == JobStatus::kOk);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(2000);
        CHECK(bytes[15] == std::byte{9});
        CHECK(bench.memory.grants() == 0);
        CHECK(bench.memory.transports() == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
