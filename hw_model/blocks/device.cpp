// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/device.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/control/controller.h"
#include "hw_model/blocks/control/device_registers.h"
#include "hw_model/blocks/control/dispatcher.h"
#include "hw_model/blocks/control/host_interface.h"
#include "hw_model/blocks/control/power_controller.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/engines/dma_channel.h"
#include "hw_model/blocks/engines/dsp.h"
#include "hw_model/blocks/engines/mac_array.h"
#include "hw_model/blocks/engines/vector_unit.h"
#include "hw_model/blocks/host/doorbells.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/host/job_regions.h"
#include "hw_model/blocks/host/mailbox.h"
#include "hw_model/blocks/host/register_file.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/resident_memory.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/blocks/memory/system_memory.h"
#include "hw_model/regs/check.h"
#include "hw_model/timing/config_fields.h"

namespace vnpu::hw {

/// The blocks, in the order in which they build on each other.
struct Device::Parts {
    Parts(Device& device, Options options)
        : config(std::move(options.config)),
          observer(options.observer),
          faults(options.faults),
          clock(config.clockKhz),
          residentMemory(config.sram),
          sram(config, clock, counters, observer, faults),
          systemMemory(device.memory, residentMemory, work),
          arbiter(config),
          mmu(config.mmu, clock, systemMemory, counters, observer, faults),
          interrupts("interrupts", clock, counters, observer, faults),
          mailbox(interrupts, clock, faults),
          doorbells(interrupts),
          registerFile(config),
          dspState(config.timingOnly ? 0 : config.dsp.stateBytes),
          localMemory(std::size_t{config.controller.localMemoryKib} * 1024),
          regions(registerFile, localMemory),
          timer("timer", clock),
          dispatcher({config, clock, timer, arbiter, interrupts, counters, localMemory, observer,
                      faults}),
          dma{DmaChannel(0, dmaParts()), DmaChannel(1, dmaParts()), DmaChannel(2, dmaParts()),
              DmaChannel(3, dmaParts())},
          mac({config, clock, timer, sram, work, counters, dispatcher}),
          vector({config, clock, timer, sram, work, counters, dispatcher}),
          dsp(dspParts()),
          power({config, clock, arbiter, mmu, dispatcher, counters, observer}),
          deviceRegisters({clock, registerFile, interrupts, mailbox, doorbells, mmu, arbiter,
                           dispatcher, sram, work, dsp, counters, power, observer}),
          hostInterface({deviceRegisters, residentMemory, work}),
          controller("controller",
                     {config, clock, deviceRegisters, interrupts, arbiter, dispatcher, mmu,
                      systemMemory, counters, localMemory, power, timer, observer, faults,
                      options.mayRunAhead},
                     std::move(options.firmware)) {
        if (faults != nullptr) {
            faults->setObserver(observer);
        }
        if (config.dram.model == DramModel::kBanked) {
            mmu.cacheTables(config.dma.burstBytes);
        }
        mmu.checkTranslations(std::move(options.onStaleTranslation));
        for (std::size_t i = 0; i < dma.size(); ++i) {
            dispatcher.attach(static_cast<Engine>(i), &dma[i]);
        }
        dispatcher.attach(Engine::kMac, &mac);
        dispatcher.attach(Engine::kVector, &vector);
        dispatcher.attach(Engine::kDsp, &dsp);
        deviceRegisters.attach(controller);
        interrupts.irq(device.irq);
    }

    Dsp::Parts dspParts() {
        return {config,     clock,    timer,      arbiter, mmu,     systemMemory,
                interrupts, counters, dispatcher, regions, dspState};
    }

    DmaChannel::Parts dmaParts() {
        return {config, clock, timer,      arbiter,  mmu,        systemMemory, residentMemory,
                sram,   work,  interrupts, counters, dispatcher, regions,      dspState};
    }

    NpuConfig config;
    DeviceObserver* observer;
    FaultInjector* faults;
    DeviceClock clock;
    PerfCounters counters;
    ResidentMemory residentMemory;
    Sram sram;
    DeferredWork work;  // destroyed before the memories that it uses
    SystemMemory systemMemory;
    MemoryArbiter arbiter;
    Mmu mmu;
    InterruptController interrupts;
    Mailbox mailbox;
    Doorbells doorbells;
    RegisterFile registerFile;
    std::vector<std::byte> dspState;  // the DSP's local memory, as far as it survives a yield
    std::vector<std::byte> localMemory;
    JobRegions regions;
    EngineTimer timer;
    Dispatcher dispatcher;
    std::array<DmaChannel, kDmaChannelCount> dma;
    MacArray mac;
    VectorUnit vector;
    Dsp dsp;
    PowerController power;
    DeviceRegisters deviceRegisters;
    HostInterface hostInterface;
    Controller controller;
};

Device::Device(const sc_core::sc_module_name& name, Options options)
    : sc_module(name), registers("registers"), memory("memory"), irq("irq") {
    VNPU_CHECK(options.firmware != nullptr, "a device has firmware");
    VNPU_CHECK(findConfigError(options.config).empty(),
               "the configuration was checked where it was read");
    parts_ = std::make_unique<Parts>(*this, std::move(options));
    registers.register_b_transport(this, &Device::b_transport);
    registers.register_transport_dbg(this, &Device::transport_dbg);
    registers.register_get_direct_mem_ptr(this, &Device::get_direct_mem_ptr);
    memory.register_invalidate_direct_mem_ptr(this, &Device::invalidate_direct_mem_ptr);
}

Device::~Device() = default;

void Device::powerCycle() {
    parts_->work.finish();
    parts_->deviceRegisters.powerOn();
    std::fill_n(parts_->residentMemory.data(), parts_->residentMemory.sizeBytes(), std::byte{});
}

bool Device::isInterruptDue() const {
    return parts_->interrupts.isLineDue();
}

sc_core::sc_time Device::localTime() const {
    return sc_core::sc_time_stamp() + parts_->clock.until(parts_->clock.now());
}

std::uint64_t Device::count(regs::PerfEvent event) const {
    return parts_->deviceRegisters.count(event);
}

sc_core::sc_time Device::cycleTime() const {
    return parts_->clock.period();
}

void Device::finishWork() {
    parts_->work.finish();
}

void Device::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    parts_->hostInterface.transport(payload);
}

unsigned Device::transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->hostInterface.transportDebug(payload);
}

bool Device::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    return parts_->hostInterface.directMemory(payload, grant);
}

void Device::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    parts_->systemMemory.invalidate(first, last);
}

}  // namespace vnpu::hw
