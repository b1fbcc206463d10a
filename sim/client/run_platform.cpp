// SPDX-License-Identifier: Apache-2.0
#include "sim/client/run_platform.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/base/error.h"
#include "sim/client/model_runner.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

void throwWithReason(const std::runtime_error& error, const std::string& reason) {
    const std::string what =
            reason.empty() ? error.what() : fmt::format("{}: {}", error.what(), reason);
    const auto* refusal = dynamic_cast<const PrepareError*>(&error);
    if (refusal != nullptr &&
        (refusal->status() == nn::ErrorStatus::INVALID_ARGUMENT ||
         refusal->status() == nn::ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)) {
        throw InputError(what);
    }
    throw std::runtime_error(what);
}

void runPlatform(Platform& platform, const DriverLog& log) {
    try {
        platform.run();
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throwWithReason(error, log.lastLine());
    }
}

void runPlatform(Platform& platform, const DriverLog& log, BusTools& tools) {
    constexpr std::uint64_t kPicoseconds = 1000;  // per nanosecond
    const auto finish = [&] {
        tools.finish(static_cast<std::uint64_t>(platform.now().count()) * kPicoseconds);
    };
    try {
        runPlatform(platform, log);
    } catch (...) {
        finish();
        throw;
    }
    finish();
}

}  // namespace vnpu::sim
