// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/register_file.h"

#include <doctest/doctest.h>

using namespace vnpu::hw;

TEST_SUITE_BEGIN("hw_model/blocks/register_file");

TEST_CASE("every word of the window is decoded according to the declarations [E-1]") {
    const RegisterFile file(NpuConfig{});
    for (std::uint32_t offset = 0; offset < regs::kWindowBytes; offset += 4) {
        const regs::RegisterHit declared = regs::findRegister(offset);
        regs::RegisterHit hit;
        const RegisterError error = file.decode(offset, false, true, hit);
        if (declared.spec != nullptr) {
            CHECK(error != RegisterError::kAddress);
            CHECK(hit.spec == declared.spec);
            CHECK(hit.index == declared.index);
        } else {
            CHECK(error == RegisterError::kAddress);
        }
    }
}

TEST_CASE("access rights follow the declaration [E-1]") {
    const RegisterFile file(NpuConfig{});
    for (const regs::RegisterSpec* spec : regs::registerMap()) {
        regs::RegisterHit hit;
        const bool isReadable = file.decode(spec->offset, false, true, hit) == RegisterError::kNone;
        const bool isWritable = file.decode(spec->offset, true, true, hit) == RegisterError::kNone;
        CHECK(isReadable == (spec->access != regs::Access::kWriteOnly));
        CHECK(isWritable == (spec->access != regs::Access::kReadOnly));
        const bool isHostVisible =
                file.decode(spec->offset, !isReadable, false, hit) == RegisterError::kNone;
        CHECK(isHostVisible == (spec->offset < 0x8000));
    }
}

TEST_CASE("drivers see the bandwidth of the narrower of DRAM and interconnect [E-1]") {
    NpuConfig config;
    config.dram.bytesPerCycle = 34.5;
    config.interconnect.bytesPerCycle = 64;
    CHECK(RegisterFile(config).value(regs::ConfigDramBandwidth::kSpec.offset) == 35'328);
    config.interconnect.bytesPerCycle = 16;
    CHECK(RegisterFile(config).value(regs::ConfigDramBandwidth::kSpec.offset) == 16'384);
}

TEST_CASE("a reset keeps the configuration and restores the rest [E-1]") {
    NpuConfig config;
    config.sram.residentKib = 64;
    config.dsp.lanes8 = 32;
    config.dsp.lanes32 = 8;
    config.dsp.macs8 = 64;
    config.dsp.macsFloat = 4;
    config.dsp.bytesPerCycle = 24;
    RegisterFile file(config);
    file.setValue(0x40, 0);
    file.setValue(0x48, 99);
    file.reset();
    CHECK(file.value(0x40) == 1);
    CHECK(file.value(0x48) == 0);
    CHECK(file.value(0x34) == 1'000'000);
    CHECK(file.value(0x140) == (64U | 1024U << 16));
    CHECK(file.value(0x144) == (32U | 8U << 12));
    CHECK(file.value(0x148) == (64U | 4U << 12));
    CHECK(file.value(0x14C) == 24);
}

TEST_SUITE_END();
