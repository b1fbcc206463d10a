// SPDX-License-Identifier: Apache-2.0
#include "sim/device/caller_program.h"

#include <cstddef>
#include <exception>
#include <span>
#include <thread>

#include "hw_model/regs/registers.h"
#include "hw_model/regs/status.h"

/// What a program's functions work on. Calls are refused, without effect, while no program runs, on
/// other threads, from callbacks of the host within such a call, and once the program must return.
struct vnpu_controller {
  public:
    void run(const vnpu_program& program, vnpu::hw::ControllerPort& port);

    /// Calls `work(port)` and returns true, or refuses.
    template <typename Work>
    bool call(const Work& work);

  private:
    vnpu::hw::ControllerPort* port_ = nullptr;  // while the program runs
    std::thread::id thread_;
    bool isInCall_ = false;
    std::exception_ptr end_;  // from a call that found that the program must end
    unsigned refusals_ = 0;   // since then
};

void vnpu_controller::run(const vnpu_program& program, vnpu::hw::ControllerPort& port) {
    port_ = &port;
    thread_ = std::this_thread::get_id();
    end_ = nullptr;
    refusals_ = 0;
    program.run(program.user, this);
    port_ = nullptr;
    if (end_) {
        std::rethrow_exception(end_);
    }
}

template <typename Work>
bool vnpu_controller::call(const Work& work) {
    // chosen: a program that polls without looking at results gets here soon, one that returns does
    // not
    constexpr unsigned kMostRefusals = 1000;
    if (port_ == nullptr || isInCall_ || thread_ != std::this_thread::get_id()) {
        return false;
    }
    if (end_) {
        if (++refusals_ > kMostRefusals) {
            // The program hangs. An exception ends it, where its compiler supports that.
            port_ = nullptr;
            std::rethrow_exception(end_);
        }
        return false;
    }
    isInCall_ = true;
    try {
        work(*port_);
    } catch (...) {
        end_ = std::current_exception();
    }
    isInCall_ = false;
    return !end_;
}

namespace vnpu::sim {

namespace {

class CallerProgram : public hw::ControllerProgram {
  public:
    explicit CallerProgram(const vnpu_program& program) : program_(program) {}

    void run(hw::ControllerPort& port) override { controller_.run(program_, port); }

  private:
    const vnpu_program program_;
    vnpu_controller controller_;
};

}  // namespace

std::unique_ptr<hw::ControllerProgram> createCallerProgram(const vnpu_program& program) {
    return std::make_unique<CallerProgram>(program);
}

}  // namespace vnpu::sim

using vnpu::hw::ControllerPort;
using vnpu::hw::JobStatus;

extern "C" {

uint32_t vnpu_controller_read32(vnpu_controller* controller, uint32_t offset) {
    uint32_t value = 0xFFFFFFFF;
    if (controller != nullptr) {
        controller->call([&](ControllerPort& port) { value = port.read32(offset); });
    }
    return value;
}

void vnpu_controller_write32(vnpu_controller* controller, uint32_t offset, uint32_t value) {
    if (controller != nullptr) {
        controller->call([&](ControllerPort& port) { port.write32(offset, value); });
    }
}

uint32_t vnpu_controller_read_memory(vnpu_controller* controller, uint32_t context,
                                     uint64_t address, void* data, uint32_t size) {
    JobStatus status = JobStatus::kBusError;
    if (controller != nullptr && (data != nullptr || size == 0)) {
        controller->call([&](ControllerPort& port) {
            status = port.readMemory(context, address,
                                     std::span(static_cast<std::byte*>(data), size));
        });
    }
    return static_cast<uint32_t>(status);
}

uint32_t vnpu_controller_write_memory(vnpu_controller* controller, uint32_t context,
                                      uint64_t address, const void* data, uint32_t size) {
    JobStatus status = JobStatus::kBusError;
    if (controller != nullptr && (data != nullptr || size == 0)) {
        controller->call([&](ControllerPort& port) {
            status = port.writeMemory(context, address,
                                      std::span(static_cast<const std::byte*>(data), size));
        });
    }
    return static_cast<uint32_t>(status);
}

void* vnpu_controller_local_memory(vnpu_controller* controller, uint64_t* size) {
    std::span<std::byte> memory;
    if (controller != nullptr) {
        controller->call([&](ControllerPort& port) { memory = port.localMemory(); });
    }
    if (size != nullptr) {
        *size = memory.size();
    }
    return memory.data();
}

void vnpu_controller_charge(vnpu_controller* controller, uint32_t cycles) {
    if (controller != nullptr) {
        controller->call([&](ControllerPort& port) { port.charge(cycles); });
    }
}

int vnpu_controller_wait(vnpu_controller* controller, uint64_t timeout_cycles) {
    using vnpu::hw::regs::ControllerIrqStatus;
    bool isReset = false;
    const bool isRunning = controller != nullptr && controller->call([&](ControllerPort& port) {
        port.waitForInterrupt(timeout_cycles);
        const uint32_t status = port.read32(ControllerIrqStatus::kSpec.offset);
        isReset = ControllerIrqStatus::kReset.get(status) != 0;
    });
    return isRunning && !isReset ? 0 : 1;
}

}  // extern "C"
