// SPDX-License-Identifier: Apache-2.0
#include "driver/control/device_dump.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "driver/port/register_access.h"
#include "hw_model/regs/engines.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;

constexpr std::size_t kShownLogRecords = 16;  // chosen: the last few jobs

template <typename... Registers>
void readAll(DevicePort& port, DeviceDump& dump) {
    (dump.registers.emplace_back(Registers::kSpec.name, readRegister<Registers>(port)), ...);
}

std::optional<fw::StateDump> takeState(const BootMemory& memory) {
    fw::StateDump state{};
    std::memcpy(&state, memory.dump().data(), sizeof(state));
    if (state.magic != fw::kDumpMagic || state.sizeBytes != sizeof(state)) {
        return std::nullopt;
    }
    std::memset(memory.dump().data(), 0, sizeof(state.magic));
    return state;
}

std::string_view engineNameOf(std::size_t engine) {
    return hw::engineName(static_cast<hw::Engine>(engine));
}

bool isUsed(const fw::EngineDump& engine) {
    return engine.dispatched != 0 || engine.progress != 0;
}

}  // namespace

DeviceDump DeviceDump::take(DevicePort& port, const BootMemory& memory, RingRegistry& rings) {
    DeviceDump dump;
    readAll<regs::Control, regs::Status, regs::Heartbeat, regs::IrqStatus, regs::IrqMask,
            regs::MailboxInControl, regs::MailboxOutControl, regs::MmuFaultInfo,
            regs::MmuFaultAddressLo, regs::MmuFaultAddressHi, regs::CycleCounterLo,
            regs::CycleCounterHi>(port, dump);
    dump.rings = rings.headers();
    dump.log = readFirmwareLog(memory.log(), kShownLogRecords);
    dump.running = findRunningJob(memory.log());
    dump.state = takeState(memory);
    return dump;
}

std::vector<std::string> DeviceDump::lines() const {
    std::vector<std::string> lines;
    std::string words = "registers:";
    for (const auto& [name, value] : registers) {
        words += fmt::format(" {}={:#x}", name, value);
    }
    lines.push_back(std::move(words));
    lines.push_back(running.jobId == 0 ? "running job: none"
                                       : fmt::format("running job: {} of ring {}", running.jobId,
                                                     running.ring));
    for (const auto& [index, header] : rings) {
        lines.push_back(fmt::format("ring {}: tail {}, head {}, records {} of {} read, fence {}",
                                    index, header.tail, header.head, header.completionHead,
                                    header.completionTail, header.fenceValue));
    }
    if (state) {
        lines.push_back(fmt::format("firmware state at cycle {}: job {}, engine error {:#x}",
                                    state->cycle, state->jobId, state->engineError));
        for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
            const fw::EngineDump& engine = state->engines[i];
            if (isUsed(engine)) {
                lines.push_back(fmt::format(
                        "engine {}: {} of {} commands finished, progress {:#x}, command at byte "
                        "{:#x}",
                        engineNameOf(i), engine.finished, engine.dispatched, engine.progress,
                        engine.command));
            }
        }
    }
    for (const std::string& record : log) {
        lines.push_back("firmware log: " + record);
    }
    return lines;
}

std::string DeviceDump::json() const {
    using Json = nlohmann::ordered_json;
    Json json = {{"registers", Json::object()},
                 {"running_job", running.jobId},
                 {"rings", Json::array()}};
    for (const auto& [name, value] : registers) {
        json["registers"][std::string(name)] = value;
    }
    for (const auto& [index, header] : rings) {
        json["rings"].push_back({{"ring", index},
                                 {"tail", header.tail},
                                 {"head", header.head},
                                 {"records", header.completionTail},
                                 {"read", header.completionHead},
                                 {"fence", header.fenceValue}});
    }
    if (state) {
        Json engines = Json::array();
        for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
            const fw::EngineDump& engine = state->engines[i];
            if (isUsed(engine)) {
                engines.push_back({{"engine", engineNameOf(i)},
                                   {"dispatched", engine.dispatched},
                                   {"finished", engine.finished},
                                   {"progress", engine.progress},
                                   {"command", engine.command}});
            }
        }
        json["state"] = {{"cycle", state->cycle},
                         {"job", state->jobId},
                         {"engine_error", state->engineError},
                         {"engines", std::move(engines)}};
    }
    json["firmware_log"] = log;
    return json.dump();
}

}  // namespace vnpu::driver
