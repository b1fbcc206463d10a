// SPDX-License-Identifier: Apache-2.0
#include "driver/api/fault_report.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "hw_model/regs/engines.h"

namespace vnpu::driver {

namespace {

constexpr std::array<std::string_view, kFaultCauseCount> kCauses = {
        "job-failed",         "engine-hang",    "fatal-interrupt", "no-heartbeat",
        "mailbox-silence",    "corrupt-record", "corrupt-message", "lost-interrupt",
        "spurious-interrupt", "boot-failed",    "context-lost"};

constexpr std::array<std::string_view, kFaultRemedyCount> kRemedies = {
        "nothing", "job-ended", "repeated", "device-reset", "given-up", "job-restarted"};

std::string placeOf(const FaultReport& report) {
    std::string place;
    const auto add = [&place](const std::string& part) {
        place += (place.empty() ? "" : ", ") + part;
    };
    if (report.ring != FaultReport::kNone) {
        add(fmt::format("ring {}", report.ring));
    }
    if (report.engine < hw::kEngineCount) {
        add(fmt::format("engine {}", hw::engineName(static_cast<hw::Engine>(report.engine))));
    }
    if (report.command != FaultReport::kNone) {
        add(fmt::format("command at byte {}", report.command));
    }
    if (report.address != 0) {
        add(fmt::format("virtual address {:#x}", report.address));
    }
    return place.empty() ? place : fmt::format(" ({})", place);
}

}  // namespace

std::string_view nameOf(FaultCause cause) {
    return kCauses[static_cast<std::size_t>(cause)];
}

std::string_view nameOf(FaultRemedy remedy) {
    return kRemedies[static_cast<std::size_t>(remedy)];
}

std::string toText(const FaultReport& report) {
    std::string text = fmt::format("{}: ", nameOf(report.cause));
    if (report.jobId != 0) {
        text += fmt::format("job {}{}: ", report.jobId, placeOf(report));
    }
    text += fmt::format("{}; {}", report.what, nameOf(report.remedy));
    if (report.remedy == FaultRemedy::kDeviceReset) {
        text += fmt::format(" in {} us, {} jobs continue", report.recoveryTime.count() / 1000,
                            report.survivors);
    }
    return text;
}

std::string toJson(const FaultReport& report) {
    nlohmann::ordered_json json = {{"cause", nameOf(report.cause)},
                                   {"remedy", nameOf(report.remedy)},
                                   {"what", report.what},
                                   {"status", hw::jobStatusName(report.status)}};
    const auto add = [&json](const char* key, std::uint64_t value, bool isThere) {
        if (isThere) {
            json[key] = value;
        }
    };
    add("job", report.jobId, report.jobId != 0);
    add("ring", report.ring, report.ring != FaultReport::kNone);
    if (report.engine < hw::kEngineCount) {
        json["engine"] = hw::engineName(static_cast<hw::Engine>(report.engine));
    }
    add("command", report.command, report.command != FaultReport::kNone);
    add("address", report.address, report.address != 0);
    const bool isReset = report.remedy == FaultRemedy::kDeviceReset;
    add("survivors", report.survivors, isReset);
    add("recovery_ns", static_cast<std::uint64_t>(report.recoveryTime.count()), isReset);
    if (!report.dump.empty()) {
        json["dump"] = nlohmann::ordered_json::parse(report.dump);
    }
    return json.dump();
}

}  // namespace vnpu::driver
