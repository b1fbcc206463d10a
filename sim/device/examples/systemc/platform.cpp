// SPDX-License-Identifier: Apache-2.0
// A platform around the device: a bus, a memory, and a processor, which runs the driver of
// ../minimal. `platform CONFIG JOBFILE FOLDER` runs a job of `vnpu compile --config CONFIG`.
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <vnpu/registers.h>
#include <vnpu/systemc/device.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <systemc>
#include <tlm>

extern "C" {
#include "machine.h"
int minimal_main(int argc, char** argv);  // main() of the driver, renamed by CMakeLists.txt
}

using Payload = tlm::tlm_generic_payload;

constexpr std::uint64_t kRegistersBase = 0x1000'0000;
constexpr std::uint64_t kMemoryBase = MACHINE_BASE;
constexpr std::uint64_t kMemoryBytes = MACHINE_BYTES;

struct Memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<Memory> socket{"socket"};

    explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_b_transport(this, &Memory::transport);
        socket.register_transport_dbg(this, &Memory::transportDebug);
        socket.register_get_direct_mem_ptr(this, &Memory::grant);
    }

  private:
    unsigned transportDebug(Payload& payload) {
        const std::uint64_t offset = payload.get_address();
        const unsigned length = payload.get_data_length();
        if (offset > kMemoryBytes || length > kMemoryBytes - offset) {
            return 0;
        }
        unsigned char* const at = bytes_.get() + offset;
        std::memcpy(payload.is_write() ? at : payload.get_data_ptr(),
                    payload.is_write() ? payload.get_data_ptr() : at, length);
        return length;
    }
    void transport(Payload& payload, sc_core::sc_time&) {
        payload.set_response_status(transportDebug(payload) == payload.get_data_length()
                                            ? tlm::TLM_OK_RESPONSE
                                            : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    bool grant(Payload&, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(bytes_.get());
        dmi.set_start_address(0);
        dmi.set_end_address(kMemoryBytes - 1);
        dmi.allow_read_write();
        return true;
    }

    // calloc() takes only the pages that are used.
    std::unique_ptr<unsigned char, decltype(&std::free)> bytes_{
            static_cast<unsigned char*>(std::calloc(1, kMemoryBytes)), std::free};
};

/// Bind `out` first to the memory, then to the device's registers. Addresses of targets count from
/// their base.
struct Bus : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<Bus> in{"in"};
    tlm_utils::multi_passthrough_initiator_socket<Bus> out{"out"};

    explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
        in.register_b_transport(this, &Bus::transport);
        in.register_get_direct_mem_ptr(this, &Bus::grant);
    }

  private:
    /// The target of an address, which becomes relative; -1 if there is none.
    static int route(std::uint64_t& address) {
        if (address >= kMemoryBase && address - kMemoryBase < kMemoryBytes) {
            address -= kMemoryBase;
            return 0;
        }
        if (address >= kRegistersBase && address - kRegistersBase < VNPU_REGISTER_BYTES) {
            address -= kRegistersBase;
            return 1;
        }
        return address >= VNPU_RESIDENT_BASE && address < kMemoryBase ? 1 : -1;
    }
    void transport(int, Payload& payload, sc_core::sc_time& delay) {
        const std::uint64_t address = payload.get_address();
        std::uint64_t local = address;
        const int target = route(local);
        if (target < 0) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        payload.set_address(local);
        out[target]->b_transport(payload, delay);
        payload.set_address(address);
    }
    bool grant(int, Payload& payload, tlm::tlm_dmi& dmi) {
        std::uint64_t local = payload.get_address();
        const int target = route(local);
        const std::uint64_t base = payload.get_address() - local;
        payload.set_address(local);
        const bool isGranted = target == 0 && out[target]->get_direct_mem_ptr(payload, dmi);
        payload.set_address(local + base);
        dmi.set_start_address(dmi.get_start_address() + base);
        dmi.set_end_address(dmi.get_end_address() + base);
        return isGranted;
    }
};

/// Runs the driver on a thread of its own; the driver reaches the machine by the functions below.
struct Processor : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Processor> bus{"bus"};
    sc_core::sc_in<bool> irq{"irq"};
    int exitCode = 1;
    SC_HAS_PROCESS(Processor);

    Processor(const sc_core::sc_module_name& name, int argc, char** argv)
        : sc_module(name), argc_(argc), argv_(argv) {
        tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
        SC_THREAD(run);
        set_stack_size(1 << 20);
    }

    void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& word) {
        Payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        payload.set_data_length(sizeof(word));
        payload.set_streaming_width(sizeof(word));
        sc_core::sc_time delay = keeper_.get_local_time();
        bus->b_transport(payload, delay);
        sc_assert(payload.is_response_ok());
        keeper_.set(delay + sc_core::sc_time(100, sc_core::SC_NS));  // chosen: one access
        if (keeper_.need_sync()) {
            keeper_.sync();
        }
    }
    bool awaitInterrupt(const sc_core::sc_time& limit) {
        keeper_.sync();
        if (!irq.read()) {
            wait(limit, irq.posedge_event());
        }
        return irq.read();
    }

  private:
    void run() {
        exitCode = minimal_main(argc_, argv_);
        sc_core::sc_stop();
    }

    int argc_;
    char** argv_;
    tlm_utils::tlm_quantumkeeper keeper_;
};

static Processor* processor = nullptr;

int machine_start(machine* machine, vnpu_options) {
    Payload payload;
    tlm::tlm_dmi dmi;
    payload.set_address(kMemoryBase);
    *machine = {};
    if (processor->bus->get_direct_mem_ptr(payload, dmi)) {
        machine->memory = dmi.get_dmi_ptr();
    }
    return machine->memory != nullptr ? 0 : -1;
}

void machine_stop(machine*) {}

uint64_t machine_alloc(machine* machine, uint64_t bytes) {
    const std::uint64_t address = kMemoryBase + machine->used;
    machine->used += (bytes + 4095) / 4096 * 4096;
    sc_assert(machine->used <= kMemoryBytes);
    return address;
}

void* machine_at(machine* machine, uint64_t address) {
    return machine->memory + (address - kMemoryBase);
}

uint32_t machine_read(machine*, uint32_t offset) {
    std::uint32_t value = 0;
    processor->access(tlm::TLM_READ_COMMAND, kRegistersBase + offset, value);
    return value;
}

void machine_write(machine*, uint32_t offset, uint32_t value) {
    processor->access(tlm::TLM_WRITE_COMMAND, kRegistersBase + offset, value);
}

int machine_wait(machine* machine, uint64_t picoseconds) {
    const double limit = static_cast<double>(picoseconds);
    machine->irq = processor->awaitInterrupt(sc_core::sc_time(limit, sc_core::SC_PS)) ? 1 : 0;
    return machine->irq;
}

uint64_t vnpu_device_lint_count(const vnpu_device*) {
    return 0;  // only the C library checks the driver's accesses
}

int sc_main(int argc, char* argv[]) {
    if (argc < 2) {
        std::cerr << "usage: platform CONFIG JOBFILE FOLDER\n";
        return 2;
    }
    vnpu::Device::Options options;
    options.config = argv[1];
    options.runsAhead = true;
    Memory memory("memory");
    Bus bus("bus");
    Processor cpu("processor", argc - 1, argv + 1);
    processor = &cpu;
    vnpu::Device npu("npu", options);
    sc_core::sc_signal<bool> line("line");
    cpu.bus.bind(bus.in);
    npu.memory.bind(bus.in);
    bus.out.bind(memory.socket);
    bus.out.bind(npu.registers);
    npu.irq(line);
    cpu.irq(line);
    sc_core::sc_start();
    std::cout << "simulated: " << sc_core::sc_time_stamp() << '\n';
    return cpu.exitCode;
}
