// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/bus_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <systemc>
#include <utility>

#include "sim/bringup/access_log.h"
#include "sim/bringup/recording.h"

namespace vnpu::sim {

namespace {

void printToStandardError(const std::string& line) {
    fmt::print(stderr, "{}\n", line);
}

}  // namespace

std::function<void(std::uint32_t, std::uint64_t)> staleTranslationSink(BusObserver* observer) {
    if (observer == nullptr || !observer->checksTranslations()) {
        return {};
    }
    return [observer](std::uint32_t context, std::uint64_t virtualAddress) {
        observer->staleTranslation(sc_core::sc_time_stamp().value(), context, virtualAddress);
    };
}

BusTools::BusTools(const BusToolOptions& options, const hw::NpuConfig& config) {
    if (options.isLinting) {
        auto lint = std::make_unique<Lint>(options.report ? options.report : printToStandardError);
        lint_ = lint.get();
        tools_.push_back(std::move(lint));
    }
    if (!options.accessLog.empty()) {
        tools_.push_back(std::make_unique<AccessLog>(options.accessLog));
    }
    if (!options.recordFile.empty()) {
        tools_.push_back(std::make_unique<Recorder>(options.recordFile, config));
    }
}

void BusTools::registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                            bool isAnswered) {
    for (const auto& tool : tools_) {
        tool->registerRead(time, offset, value, isAnswered);
    }
}

void BusTools::registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                               bool isAnswered) {
    for (const auto& tool : tools_) {
        tool->registerWritten(time, offset, value, isAnswered);
    }
}

void BusTools::memoryRead(std::uint64_t time, std::uint64_t address,
                          std::span<const std::byte> data, bool isAnswered) {
    for (const auto& tool : tools_) {
        tool->memoryRead(time, address, data, isAnswered);
    }
}

void BusTools::memoryWritten(std::uint64_t time, std::uint64_t address,
                             std::span<const std::byte> data, bool isAnswered) {
    for (const auto& tool : tools_) {
        tool->memoryWritten(time, address, data, isAnswered);
    }
}

void BusTools::interruptLine(std::uint64_t time, bool isHigh) {
    for (const auto& tool : tools_) {
        tool->interruptLine(time, isHigh);
    }
}

void BusTools::residentWritten(std::uint64_t time, std::uint64_t offset,
                               std::span<const std::byte> data) {
    for (const auto& tool : tools_) {
        tool->residentWritten(time, offset, data);
    }
}

void BusTools::powerCycled(std::uint64_t time) {
    for (const auto& tool : tools_) {
        tool->powerCycled(time);
    }
}

bool BusTools::checksTranslations() const {
    return std::any_of(tools_.begin(), tools_.end(),
                       [](const auto& tool) { return tool->checksTranslations(); });
}

void BusTools::staleTranslation(std::uint64_t time, std::uint32_t context,
                                std::uint64_t virtualAddress) {
    for (const auto& tool : tools_) {
        tool->staleTranslation(time, context, virtualAddress);
    }
}

void BusTools::finish(std::uint64_t time) {
    for (const auto& tool : tools_) {
        tool->finish(time);
    }
}

}  // namespace vnpu::sim
