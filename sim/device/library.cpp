// SPDX-License-Identifier: Apache-2.0
#include "sim/device/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "firmware/core/firmware.h"
#include "hw_model/kernels/support/processor_level.h"
#include "hw_model/regs/check.h"
#include "sim/base/error.h"
#include "sim/config/hardware_settings.h"
#include "sim/config/load_config.h"
#include "sim/device/caller_program.h"

namespace vnpu::sim {

namespace {

thread_local std::string lastErrorText;

constexpr std::uint32_t kFlags = VNPU_TIMING_ONLY | VNPU_LINT;

/// What is wrong with the options, or an empty text.
std::string findMistake(const vnpu_options& options) {
    if ((options.flags & ~kFlags) != 0) {
        return fmt::format("flags is 0x{:x}, expected VNPU_TIMING_ONLY and VNPU_LINT only",
                           options.flags);
    }
    for (const auto& [name, isNull] : {std::pair("dma_read", options.host.dma_read == nullptr),
                                       std::pair("dma_write", options.host.dma_write == nullptr),
                                       std::pair("irq", options.host.irq == nullptr)}) {
        if (isNull) {
            return fmt::format("host.{} is null, expected a function", name);
        }
    }
    return "";
}

}  // namespace

vnpu_status fail(vnpu_status status, std::string_view text) noexcept {
    try {
        lastErrorText = text;
    } catch (const std::bad_alloc&) {
        lastErrorText.clear();
    }
    return status;
}

const char* lastError() {
    return lastErrorText.c_str();
}

Library& Library::instance() {
    static Library* const library = [] {
        throwFailedChecks();
        return std::make_unique<Library>().release();
    }();
    return *library;
}

void Library::claim() {
    std::thread::id none;
    owner_.compare_exchange_strong(none, std::this_thread::get_id());
}

void Library::disclaim() {
    if (isOwnThread() && devices_.empty() && destroyed_.empty()) {
        owner_ = std::thread::id();
    }
}

vnpu_status Library::checkCaller() const {
    if (!isOwnThread()) {
        return owner_.load(std::memory_order_relaxed) == std::thread::id()
                       ? fail(VNPU_INVALID_ARGUMENT, "no device has been created")
                       : fail(VNPU_WRONG_THREAD,
                              "called on another thread than the one that created the first "
                              "device");
    }
    if (isInCall_) {
        return fail(VNPU_REENTERED, "called from a callback, where only vnpu_now() is allowed");
    }
    if (hasDefect_) {
        return fail(VNPU_INTERNAL_ERROR,
                    fmt::format("the library stopped after an earlier error: {}", defect_));
    }
    return VNPU_OK;
}

vnpu_status Library::noteDefect(const char* what) noexcept {
    hasDefect_ = true;
    fail(VNPU_INTERNAL_ERROR, what);
    try {
        defect_ = lastErrorText;
    } catch (const std::bad_alloc&) {
        defect_.clear();
    }
    return VNPU_INTERNAL_ERROR;
}

bool Library::isAlive(const vnpu_device* device) const {
    return std::any_of(devices_.begin(), devices_.end(),
                       [&](const auto& other) { return other.get() == device; });
}

vnpu_status Library::create(const vnpu_options& options, vnpu_device*& device) {
    if (const std::string mistake = findMistake(options); !mistake.empty()) {
        return fail(VNPU_INVALID_ARGUMENT, mistake);
    }
    vnpu_device::Options parts;
    try {
        hw::kernels::processorLevel();
        parts.config = loadConfig(options.config == nullptr ? "edge" : options.config);
        parts.config.timingOnly = (options.flags & VNPU_TIMING_ONLY) != 0;
        if (options.settings != nullptr) {
            HardwareSettings settings = loadHardwareSettings(options.settings);
            parts.config = withOverrides(std::move(parts.config), settings.overrides);
            parts.faults = std::move(settings.faults);
        }
    } catch (const InputError& error) {
        return fail(VNPU_BAD_CONFIG, error.what());
    } catch (const std::invalid_argument& error) {
        return fail(VNPU_INVALID_ARGUMENT, error.what());
    }
    if (simulation_ != nullptr && simulation_->hasStarted()) {
        return fail(VNPU_TOO_LATE,
                    fmt::format("simulated time is {} ps, expected a creation before the first "
                                "vnpu_advance() of the process",
                                Simulation::now()));
    }
    try {
        BusToolOptions tools;
        tools.isLinting = (options.flags & VNPU_LINT) != 0;
        tools.recordFile = options.record == nullptr ? "" : options.record;
        tools.report = [host = options.host](const std::string& line) {
            if (host.log != nullptr) {
                host.log(host.user, line.c_str());
            }
        };
        parts.tools = std::make_unique<BusTools>(tools, parts.config);
    } catch (const InputError& error) {
        return fail(VNPU_IO_ERROR, error.what());
    }
    try {
        if (simulation_ == nullptr) {
            simulation_ = std::make_unique<Simulation>();
        }
        parts.program = options.program.run == nullptr ? fw::createFirmware()
                                                       : createCallerProgram(options.program);
        parts.host = options.host;
        const std::string name = fmt::format("device{}", devices_.size() + destroyed_.size());
        devices_.push_back(std::make_unique<vnpu_device>(name.c_str(), std::move(parts)));
    } catch (const std::bad_alloc&) {
        return fail(VNPU_OUT_OF_MEMORY, "the memory of the device cannot be allocated");
    }
    device = devices_.back().get();
    return VNPU_OK;
}

void Library::destroy(vnpu_device* device) noexcept {
    if (!isOwnThread() || isInCall_) {
        checkCaller();  // notes the error
        return;
    }
    const auto found = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const auto& other) { return other.get() == device; });
    if (found == devices_.end()) {
        fail(VNPU_INVALID_ARGUMENT, "device is destroyed already");
        return;
    }
    isInCall_ = true;  // the observer reports to the host
    try {
        device->finishObserver();
    } catch (const std::exception& error) {
        fail(VNPU_IO_ERROR, error.what());
    }
    isInCall_ = false;
    device->detach();
    if (!hasDefect_) {
        call(device, [&] {
            device->unmap(0, UINT64_MAX);
            device->powerCycle();
            return VNPU_OK;
        });
    }
    destroyed_.push_back(std::move(*found));
    devices_.erase(found);
}

vnpu_status Library::advance(std::uint64_t step, bool untilInterrupt) {
    if (devices_.empty()) {
        return fail(VNPU_INVALID_ARGUMENT, "there is no device");
    }
    if (!Simulation::canAdvance(step)) {
        return fail(
                VNPU_INVALID_ARGUMENT,
                fmt::format("picoseconds is {}, expected an end that 64 bits can represent", step));
    }
    for (const auto& device : devices_) {
        device->pauseAtInterrupt(untilInterrupt);
    }
    simulation_->advance(step);
    for (const auto& device : devices_) {
        device->finishWork();
    }
    return VNPU_OK;
}

std::uint64_t Library::untilNextEvent() const {
    return simulation_ == nullptr ? VNPU_NEVER : simulation_->untilNextEvent();
}

}  // namespace vnpu::sim
