// SPDX-License-Identifier: Apache-2.0
#include "driver/port/device_info.h"

#include <doctest/doctest.h>

#include <map>

#include "hw_model/regs/register_map.h"
#include "tests/driver/support/fake_device_port.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace regs = vnpu::hw::regs;

TEST_SUITE_BEGIN("driver/port/device_info");

TEST_CASE("every number comes from its register and field [E-1]") {
    FakeDevicePort port;

    const auto info = DeviceInfo::read(port);

    REQUIRE(info.has_value());
    CHECK_EQ(info->archVersion, 0x00010009);
    CHECK_EQ(info->commandStreamVersion, 5);
    CHECK(info->isSimulated);
    CHECK_FALSE(info->isTimingOnly);
    CHECK_EQ(info->macRows, 16);
    CHECK_EQ(info->macColumns, 8);
    CHECK_EQ(info->dataflow, 1);
    CHECK(info->weightDoubleBuffer);
    CHECK_EQ(info->floatDivisor, 4);
    CHECK_EQ(info->outputLanes, 32);
    CHECK_EQ(info->accumulatorBytes, 65536);
    CHECK_EQ(info->sramBytes, 524288);
    CHECK_EQ(info->sramBanks, 8);
    CHECK_EQ(info->loadsAhead, 5);
    CHECK_EQ(info->sramPortBytes, 32);
    CHECK(info->pixelReads);
    CHECK(info->resultsLeave);
    CHECK(info->tapsApart);
    CHECK_EQ(info->vectorLanes8, 64);
    CHECK_EQ(info->vectorLanes32, 16);
    CHECK_EQ(info->dspLanes8, 16);
    CHECK_EQ(info->dspLanes32, 4);
    CHECK_EQ(info->dspMacs8, 32);
    CHECK_EQ(info->dspMacsFloat, 2);
    CHECK_EQ(info->dspBytesPerCycle, 8);
    CHECK_EQ(info->dmaChannels, 4);
    CHECK_EQ(info->dmaBytesPerCycle, 16);
    CHECK_EQ(info->dramBytesPerCycle, 4.5);
    CHECK_EQ(info->dramLatencyCycles, 120);
    CHECK_EQ(info->clockHz, 1'000'000'000);
    CHECK_EQ(info->memoryBytes, 8U << 20);
    CHECK_EQ(info->ringCount, 4);
    CHECK_EQ(info->contextCount, 3);
}

TEST_CASE("each register is read once, since a read takes time") {
    struct CountingPort : FakeDevicePort {
        std::map<std::uint32_t, int> reads;
        std::uint32_t read32(std::uint32_t offset) override {
            ++reads[offset];
            return FakeDevicePort::read32(offset);
        }
    } port;

    REQUIRE(DeviceInfo::read(port).has_value());

    CHECK_EQ(port.reads.count(regs::ConfigMac::kSpec.offset), 1);
    for (const auto& reads : port.reads) {
        CAPTURE(reads.first);
        CHECK_EQ(reads.second, 1);
    }
}

TEST_CASE("resident memory is reported from version 1.1 on, in whole pages [MD-2]") {
    FakeDevicePort port;
    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010000);
    port.setRegister(regs::ConfigResident::kSpec.offset, 67 | 1024 << 16);
    CHECK_EQ(DeviceInfo::read(port)->residentBytes, 0);  // 1.0: this register does not exist

    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010001);
    const auto info = DeviceInfo::read(port);
    REQUIRE(info.has_value());
    CHECK_EQ(info->residentBytes, 64 * 1024);
    CHECK_EQ(info->residentBase, 0x4000'0000);

    port.setRegister(regs::ConfigResident::kSpec.offset, 0xFFFF'FFFF);
    CHECK_EQ(DeviceInfo::read(port)->residentBytes, 65'532 * 1024);
    CHECK_EQ(DeviceInfo::read(port)->residentBase, 0xF'FFF0'0000);
}

TEST_CASE("decoders of the DMA channels are reported beside the channels") {
    FakeDevicePort port;
    port.setRegister(regs::ConfigDma::kSpec.offset, 4 | 16 << 8);
    CHECK_EQ(DeviceInfo::read(port)->decoderBytesPerCycle, 0);
    port.setRegister(regs::ConfigDma::kSpec.offset, 4 | 16 << 8 | 200U << 24);
    const auto info = DeviceInfo::read(port);
    REQUIRE(info.has_value());
    CHECK_EQ(info->decoderBytesPerCycle, 200);
    CHECK_EQ(info->dmaBytesPerCycle, 16);
}

TEST_CASE("the DSP is reported from version 1.2 on [E-1]") {
    FakeDevicePort port;
    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010001);
    port.setRegister(regs::ConfigDsp::kSpec.offset, 64 | 16 << 12);
    port.setRegister(regs::ConfigDspMacs::kSpec.offset, 128 | 8 << 12);
    port.setRegister(regs::ConfigDspPort::kSpec.offset, 32);
    CHECK_EQ(DeviceInfo::read(port)->dspLanes8, 0);
    CHECK_EQ(DeviceInfo::read(port)->dspBytesPerCycle, 0);

    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010004);
    const auto info = DeviceInfo::read(port);
    REQUIRE(info.has_value());
    CHECK_EQ(info->dspLanes8, 64);
    CHECK_EQ(info->dspLanes32, 16);
    CHECK_EQ(info->dspMacs8, 128);
    CHECK_EQ(info->dspMacsFloat, 8);
    CHECK_EQ(info->dspBytesPerCycle, 32);
}

TEST_CASE(
        "clock levels are reported from version 1.4 on, up to the first that does not decrease "
        "[E-1]") {
    FakeDevicePort port;
    const auto setLevels = [&](std::uint32_t count, std::uint32_t first, std::uint32_t second) {
        port.setRegister(regs::ConfigPower::kSpec.offset, count | 2 << 4);
        port.setRegister(regs::ConfigClockLevel::kSpec.at(1), first);
        port.setRegister(regs::ConfigClockLevel::kSpec.at(2), second);
    };
    setLevels(3, 800'000, 500'000);
    port.setRegister(regs::ConfigAutosuspend::kSpec.offset, 77);
    CHECK_EQ(DeviceInfo::read(port)->clockLevels, 3);
    CHECK_EQ(DeviceInfo::read(port)->clockLevelsHz[2], 500'000'000);
    CHECK_EQ(DeviceInfo::read(port)->sustainedLevel, 2);
    CHECK_EQ(DeviceInfo::read(port)->autosuspendUs, 77);
    setLevels(3, 800'000, 800'000);
    CHECK_EQ(DeviceInfo::read(port)->clockLevels, 2);
    CHECK_EQ(DeviceInfo::read(port)->sustainedLevel, 1);
    setLevels(15, 800'000, 0);
    CHECK_EQ(DeviceInfo::read(port)->clockLevels, 2);
    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010003);
    CHECK_EQ(DeviceInfo::read(port)->clockLevels, 1);
    CHECK_EQ(DeviceInfo::read(port)->autosuspendUs, 0);
}

TEST_CASE("a device with another identity is refused [E-1]") {
    FakeDevicePort port;
    port.setRegister(regs::Id::kSpec.offset, 0x12345678);

    const auto info = DeviceInfo::read(port);

    REQUIRE_FALSE(info.has_value());
    CHECK_EQ(info.error().status, ErrorStatus::GENERAL_FAILURE);
    CHECK_NE(info.error().reason.find("0x12345678"), std::string::npos);
}

TEST_CASE("another major version of the hardware is refused, another minor is not [E-1]") {
    FakeDevicePort port;
    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00020000);
    CHECK_FALSE(DeviceInfo::read(port).has_value());

    port.setRegister(regs::ArchVersion::kSpec.offset, 0x00010009);
    CHECK(DeviceInfo::read(port).has_value());
}

TEST_CASE("rates and sizes that the driver divides by are refused if they are 0 [E-1]") {
    const auto reasonWithout = [](std::uint32_t offset, std::uint32_t mask) {
        FakeDevicePort port;
        port.setRegister(offset, port.read32(offset) & ~mask);
        const auto info = DeviceInfo::read(port);
        return info ? "" : info.error().reason;
    };
    const auto reason = [&](const regs::FieldSpec& field) {
        return reasonWithout(field.offset, field.mask());
    };

    CHECK_EQ(reason(regs::ConfigClock::kSpec.whole()),
             "the device's register CONFIG_CLOCK is 0, expected at least 1");
    CHECK_EQ(reason(regs::ConfigSram::kBanks),
             "the device's register CONFIG_SRAM.BANKS is 0, expected at least 1");
    CHECK_EQ(reason(regs::ConfigQueues::kRings),
             "the device's register CONFIG_QUEUES.RINGS is 0, expected 1 to 16");
    for (const regs::FieldSpec& field :
         {regs::ConfigMac::kRows, regs::ConfigMac::kColumns, regs::ConfigMacRates::kFloatDivisor,
          regs::ConfigMacRates::kOutputLanes, regs::ConfigAccumulator::kKib, regs::ConfigSram::kKib,
          regs::ConfigSramPort::kBytesPerCycle, regs::ConfigVector::kLanes8,
          regs::ConfigVector::kLanes32, regs::ConfigDma::kChannels, regs::ConfigDma::kBytesPerCycle,
          regs::ConfigDramBandwidth::kSpec.whole(), regs::ConfigMemory::kSpec.whole(),
          regs::ConfigQueues::kContexts}) {
        CAPTURE(field.name);
        CHECK_NE(reason(field), "");
    }
    for (const regs::FieldSpec& field :
         {regs::ConfigMacRates::kDepthwiseColumns, regs::ConfigSram::kLoadsAhead,
          regs::ConfigDramLatency::kSpec.whole(), regs::ConfigDsp::kLanes8,
          regs::ConfigDma::kDecoderBytesPerCycle}) {
        CAPTURE(field.name);
        CHECK_EQ(reason(field), "");
    }
}

TEST_CASE("more rings or contexts than the driver has room for are refused [E-1]") {
    FakeDevicePort port;
    port.setRegister(regs::ConfigQueues::kSpec.offset,
                     4 | (regs::kContextCount + 1) << 8 | 8 << 16);
    const auto info = DeviceInfo::read(port);
    REQUIRE_FALSE(info.has_value());
    CHECK_EQ(info.error().reason,
             "the device's register CONFIG_QUEUES.CONTEXTS is 65, expected 1 to 64");
}

TEST_SUITE_END();
