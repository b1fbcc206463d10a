// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/state_dumper.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/base/watchdog.h"

namespace vnpu::fw {

hw::JobStatus StateDumper::write(std::uint64_t busAddress, std::uint32_t runningRing) {
    return writeValue(port_, hw::ControllerPort::kPhysical, busAddress,
                      makeDump(DumpReason::kRequest, runningRing, Watchdog::kNone));
}

void StateDumper::writeHang(std::uint32_t runningRing, std::uint32_t engine) {
    if (hangAddress_ != 0) {
        (void)writeValue(port_, hw::ControllerPort::kPhysical, hangAddress_,
                         makeDump(DumpReason::kEngineHang, runningRing, engine));
    }
}

StateDump StateDumper::makeDump(DumpReason reason, std::uint32_t runningRing,
                                std::uint32_t engine) {
    port_.charge(kDumpCycles);
    StateDump dump{};
    dump.magic = kDumpMagic;
    dump.sizeBytes = sizeof(dump);
    dump.reason = reason;
    dump.runningRing = runningRing;
    dump.cycle = readCycles(port_);
    dump.jobId = readRegister<regs::JobIdLo>(port_) |
                 (std::uint64_t{readRegister<regs::JobIdHi>(port_)} << 32);
    dump.engineError = readRegister<regs::EngineError>(port_);
    dump.hungEngine = engine;
    for (std::uint32_t i = 0; i < hw::kEngineCount; ++i) {
        const std::uint32_t finished = readRegister<regs::EngineTokens>(port_, i);
        dump.engines[i] = {commands_.counts[i], finished,
                           readRegister<regs::EngineProgress>(port_, i),
                           commands_.offsetOf(i, finished)};
    }
    for (std::uint32_t i = 0; i < regs::kRingCount; ++i) {
        dump.rings[i] = rings_.describe(i);
    }
    return dump;
}

}  // namespace vnpu::fw
