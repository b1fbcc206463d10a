// SPDX-License-Identifier: Apache-2.0
// A platform around the device: a bus, a memory, and a processor that boots the firmware.
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <vnpu/registers.h>
#include <vnpu/systemc/device.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <systemc>
#include <tlm>
#include <vector>

using Payload = tlm::tlm_generic_payload;

constexpr std::uint64_t kRegistersBase = 0x1000'0000;
constexpr std::uint64_t kMemoryBase = 0x8000'0000;
constexpr std::uint64_t kMemoryBytes = 16 << 20;

struct Memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<Memory> socket{"socket"};

    explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), bytes_(kMemoryBytes) {
        socket.register_b_transport(this, &Memory::transport);
        socket.register_transport_dbg(this, &Memory::transportDebug);
        socket.register_get_direct_mem_ptr(this, &Memory::grant);
    }

  private:
    unsigned transportDebug(Payload& payload) {
        const std::uint64_t offset = payload.get_address();
        const unsigned length = payload.get_data_length();
        if (offset > bytes_.size() || length > bytes_.size() - offset) {
            return 0;
        }
        unsigned char* const at = bytes_.data() + offset;
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
        dmi.set_dmi_ptr(bytes_.data());
        dmi.set_start_address(0);
        dmi.set_end_address(bytes_.size() - 1);
        dmi.allow_read_write();
        return true;
    }

    std::vector<unsigned char> bytes_;
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

struct Processor : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Processor> bus{"bus"};
    sc_core::sc_in<bool> irq{"irq"};
    SC_HAS_PROCESS(Processor);

    explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) {
        tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
        SC_THREAD(run);
    }

  private:
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
    std::uint32_t read(std::uint64_t address) {
        std::uint32_t word = 0;
        access(tlm::TLM_READ_COMMAND, address, word);
        return word;
    }
    void write(std::uint64_t address, std::uint32_t word) {
        access(tlm::TLM_WRITE_COMMAND, address, word);
    }

    void run() {
        // struct BootParameters: magic, size, versions of boot, mailbox, rings and commands
        const std::array<std::uint32_t, 16> parameters = {
                0x544F4F42, 64,         0x00010001,
                0x00020001, 0x00020004, read(kRegistersBase + VNPU_REG_COMMAND_STREAM_VERSION)};
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            write(kMemoryBase + 4 * i, parameters[i]);
        }
        write(kRegistersBase + VNPU_REG_BOOT_PARAMETERS_LO, kMemoryBase);
        write(kRegistersBase + VNPU_REG_BOOT_PARAMETERS_HI, 0);
        write(kRegistersBase + VNPU_REG_IRQ_MASK, VNPU_IRQ_STATUS_MESSAGE_MASK);
        write(kRegistersBase + VNPU_REG_CONTROL, 0);  // out of reset
        write(kRegistersBase + VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK);
        keeper_.sync();
        if (!irq.read()) {
            wait(irq.posedge_event());
        }
        const std::uint32_t status = read(kRegistersBase + VNPU_REG_STATUS);
        std::cout << name() << ": state " << (status & VNPU_STATUS_STATE_MASK) << ", message 0x"
                  << std::hex << (read(kRegistersBase + VNPU_REG_MAILBOX_OUT) & 0xFFFF) << std::dec
                  << '\n';
        write(kRegistersBase + VNPU_REG_MAILBOX_OUT_CONTROL, 0);
        write(kRegistersBase + VNPU_REG_IRQ_STATUS, VNPU_IRQ_STATUS_MESSAGE_MASK);
        sc_core::sc_stop();
    }

    tlm_utils::tlm_quantumkeeper keeper_;
};

int sc_main(int argc, char* argv[]) {
    vnpu::Device::Options options;
    options.config = argc > 1 ? argv[1] : "edge";
    options.runsAhead = true;
    Memory memory("memory");
    Bus bus("bus");
    Processor processor("processor");
    vnpu::Device npu("npu", options);
    sc_core::sc_signal<bool> line("line");
    processor.bus.bind(bus.in);
    npu.memory.bind(bus.in);
    bus.out.bind(memory.socket);
    bus.out.bind(npu.registers);
    npu.irq(line);
    processor.irq(line);
    sc_core::sc_start();
    return 0;
}
