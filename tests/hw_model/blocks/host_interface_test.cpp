// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/host_interface.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/hw_model/blocks/device_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

std::uint32_t readDebug(DeviceBench& bench, std::uint64_t address, unsigned& count) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof(value));
    count = bench.host->transport_dbg(payload);
    return value;
}

tlm::tlm_response_status readOf(DeviceBench& bench, std::uint64_t address, unsigned bytes) {
    std::uint64_t buffer = 0;
    return bench.access(false, address, &buffer, bytes);
}

tlm::tlm_response_status writeOf(DeviceBench& bench, std::uint64_t address, unsigned bytes) {
    std::uint64_t buffer = 0;
    return bench.access(true, address, &buffer, bytes);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/host_interface");

TEST_CASE("identity and configuration registers describe the device [E-1]") {
    simCase([] {
        NpuConfig config;
        config.timingOnly = true;
        config.mac.rows = 128;
        config.mac.columns = 64;
        config.mac.dataflow = Dataflow::kOutputStationary;
        config.dram.bytesPerCycle = 12.5;
        config.clockKhz = 700'000;
        config.dram.mib = 256;
        config.sram.residentKib = 128;
        DeviceBench bench({.config = config});
        CHECK(bench.read(0x0000) == 0x55504E56);  // "VNPU"
        CHECK(bench.read(0x0004) == 0x00010009);
        CHECK(bench.read(0x0008) == 5);
        CHECK(bench.read(0x000C) == 0x3);
        CHECK(bench.read(0x0010) == (128U | 64U << 12 | 1U << 24 | 1U << 26));
        CHECK(bench.read(0x0014) == (4U | 16U << 8));
        CHECK(bench.read(0x0018) == 64);
        CHECK(bench.read(0x001C) == (512U | 8U << 16 | 16U << 24));
        CHECK(bench.read(0x0020) == 32);
        CHECK(bench.read(0x0024) == (32U | 8U << 12));
        CHECK(bench.read(0x0028) == (4U | 16U << 8));
        CHECK(bench.read(0x002C) == 12'800);
        CHECK(bench.read(0x0030) == 100);
        CHECK(bench.read(0x0034) == 700'000);
        CHECK(bench.read(0x0038) == 262'144);
        CHECK(bench.read(0x003C) == (16U | 64U << 8 | 8U << 16));
        CHECK(bench.read(0x0140) == (128U | 1024U << 16));  // at 1 GiB
    });
}

TEST_CASE("PartialRead [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0, 1) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(readOf(bench, 0, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST_CASE("PartialWrite [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(writeOf(bench, 0x48, 1) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(writeOf(bench, 0x48, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST_CASE("TwoRegistersAtOnce [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0x48, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(writeOf(bench, 0x48, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST_CASE("ZeroBytes [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0, 0) == tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST_CASE("MisalignedRead [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0x2, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST_CASE("MisalignedWrite [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(writeOf(bench, 0x49, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST_CASE("UnknownOffset [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0x7000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(writeOf(bench, 0x7000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST_CASE("OutOfWindow [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0x10000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(readOf(bench, 0x1'0000'0000ULL, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST_CASE("ControllerOnlyFromHost [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(writeOf(bench, 0x8000, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(readOf(bench, 0x8040, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

TEST_CASE("WriteToReadOnly [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(writeOf(bench, 0x0, 4) == tlm::TLM_COMMAND_ERROR_RESPONSE);
        CHECK(bench.read(0) == 0x55504E56);
    });
}

TEST_CASE("ReadFromWriteOnly [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(readOf(bench, 0x100, 4) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    });
}

TEST_CASE("ByteEnables [E-1]") {
    simCase([] {
        DeviceBench bench({});
        std::uint32_t value = 0;
        unsigned char enables[4] = {0xFF, 0, 0xFF, 0};
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(0);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        payload.set_byte_enable_ptr(enables);
        payload.set_byte_enable_length(4);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        bench.host->b_transport(payload, delay);
        CHECK(payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    });
}

TEST_CASE("StoredRegisters [E-1]") {
    simCase([] {
        DeviceBench bench({});
        bench.write(0x48, 0xCAFE0001);
        bench.write(0x4C, 0x00000002);
        CHECK(bench.read(0x48) == 0xCAFE0001);
        CHECK(bench.read(0x4C) == 2);
    });
}

TEST_CASE("reading the cycle counter's low word latches the high one [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(bench.read(0x58) == 0);
        bench.run((1ULL << 32) + 1000);
        CHECK(bench.read(0x58) == 0);
        CHECK(bench.read(0x54) == 1000);
        CHECK(bench.read(0x58) == 1);
    });
}

TEST_CASE("the device comes up in reset with its interrupts off [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(bench.read(0x40) == 1);
        CHECK(bench.read(0x44) == 0);
        CHECK(bench.read(0x60) == 0);
        CHECK(bench.read(0x64) == 0);
        CHECK(bench.read(0x50) == 0);
    });
}

TEST_CASE("the boot bit needs the reset bit cleared [E-1]") {
    simCase([] {
        bool hasRun = false;
        DeviceBench::Options options;
        options.script = [&](ControllerPort&) { hasRun = true; };
        DeviceBench bench(std::move(options));
        bench.write(0x40, 3);
        bench.run(100);
        CHECK_FALSE(hasRun);
        CHECK(bench.read(0x40) == 1);
        bench.write(0x40, 2);
        bench.run(100);
        CHECK(hasRun);
        CHECK(bench.read(0x40) == 0);
    });
}

TEST_CASE("the heartbeat counts the controller's ticks [E-7]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [](ControllerPort& port) {
            for (int i = 0; i < 5; ++i) {
                port.write32(regs::HeartbeatTick::kSpec.offset, 0);
            }
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        CHECK(bench.read(0x50) == 5);
    });
}

TEST_CASE("debug reads have no side effects and include the controller's registers [E-1]") {
    simCase([] {
        DeviceBench bench({});
        bench.run(500);
        unsigned count = 0;
        CHECK(readDebug(bench, 0x54, count) == 500);
        CHECK(count == 4);
        CHECK(readDebug(bench, 0x8020, count) == 8);  // ENGINE_FREE of dma0
        CHECK(count == 4);
        readDebug(bench, 0x7000, count);
        CHECK(count == 0);
        CHECK(bench.observer.accesses.empty());
    });
}

TEST_CASE("every access is reported with its origin [E-6]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [](ControllerPort& port) { port.write32(regs::JobIdLo::kSpec.offset, 7); };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        const auto& accesses = bench.observer.accesses;
        REQUIRE(accesses.size() >= 3);
        CHECK(accesses[0].offset == 0x40);
        CHECK(accesses[0].isWrite);
        CHECK_FALSE(accesses[0].isController);
        const auto own = std::find_if(accesses.begin(), accesses.end(),
                                      [](const auto& a) { return a.offset == 0x8070; });
        REQUIRE(own != accesses.end());
        CHECK(own->isController);
        CHECK(own->value == 7);
        CHECK(own->cycle == 2);
    });
}

TEST_CASE("invalid accesses of the controller are reported, and read as zero [E-1]") {
    simCase([] {
        std::uint32_t value = 1;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            value = port.read32(0x7000);
            port.write32(0x0, 1);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        CHECK(value == 0);
        REQUIRE(bench.observer.faults.size() == 2);
        CHECK(bench.observer.faults[0].first == JobStatus::kBusError);
    });
}

TEST_CASE("reading a performance counter's low word latches its high one [E-1]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [](ControllerPort& port) {
            for (int i = 0; i < 6; ++i) {
                port.charge(1'000'000'000);
            }
            port.waitForInterrupt(1);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(6'000'001'000);
        // CONTROLLER_CYCLES: 6e9 and a few, 0x1_65A0BCxx in hexadecimal.
        CHECK(bench.read(0x464) == 0);
        CHECK(bench.read(0x460) >= 0x65A0BC00);
        CHECK(bench.read(0x464) == 1);
    });
}

TEST_CASE("every performance counter has a high word [E-1]") {
    simCase([] {
        DeviceBench bench({});
        CHECK(bench.read(0x400) == 0);
        CHECK(bench.read(0x404) == 0);
        CHECK(bench.read(0x564) == 0);
        CHECK(readOf(bench, 0x568, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(writeOf(bench, 0x400, 4) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
