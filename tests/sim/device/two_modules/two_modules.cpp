// SPDX-License-Identifier: Apache-2.0
// Boots two devices at once with the time resolution argv[1] (seconds) and prints when each is
// ready. Uses DMI, debug transport and the resident memory's window on the way.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vnpu/registers.h>
#include <vnpu/systemc/device.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using Payload = tlm::tlm_generic_payload;

/// Memory and software of one device.
struct Host : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Host> registers{"registers"};
    tlm_utils::simple_target_socket<Host> memory{"memory"};
    sc_core::sc_in<bool> irq{"irq"};
    sc_core::sc_time readyTime;
    unsigned transports = 0;
    SC_HAS_PROCESS(Host);

    Host(const sc_core::sc_module_name& name, bool grants)
        : sc_module(name), grants_(grants), bytes_(1 << 20) {
        memory.register_b_transport(this, &Host::transport);
        memory.register_get_direct_mem_ptr(this, &Host::grant);
        SC_THREAD(run);
    }

    static void must(bool condition, const char* what) {
        if (!condition) {
            std::cerr << "failed: " << what << '\n';
            std::exit(1);
        }
    }

  private:
    static constexpr std::uint64_t kBase = 0x8000'0000;

    void transport(Payload& payload, sc_core::sc_time&) {
        ++transports;
        const std::uint64_t offset = payload.get_address() - kBase;
        if (offset > bytes_.size() || payload.get_data_length() > bytes_.size() - offset) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        unsigned char* const at = bytes_.data() + offset;
        std::memcpy(payload.is_write() ? at : payload.get_data_ptr(),
                    payload.is_write() ? payload.get_data_ptr() : at, payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool grant(Payload&, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(bytes_.data());
        dmi.set_start_address(kBase);
        dmi.set_end_address(kBase + bytes_.size() - 1);
        dmi.allow_read_write();
        return grants_;
    }

    void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& word) {
        Payload payload;
        fill(payload, command, address, word);
        sc_core::sc_time delay(10, sc_core::SC_NS);
        const sc_core::sc_time before = delay;
        registers->b_transport(payload, delay);
        must(payload.is_response_ok(), "the access is answered");
        must(delay == before, "the access adds no delay");
    }
    static void fill(Payload& payload, tlm::tlm_command command, std::uint64_t address,
                     std::uint32_t& word) {
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        payload.set_data_length(sizeof(word));
        payload.set_streaming_width(sizeof(word));
    }
    void write(std::uint64_t address, std::uint32_t word) {
        access(tlm::TLM_WRITE_COMMAND, address, word);
    }
    std::uint32_t read(std::uint64_t address) {
        std::uint32_t word = 0;
        access(tlm::TLM_READ_COMMAND, address, word);
        return word;
    }

    void run() {
        write(VNPU_RESIDENT_BASE, 7);
        must(read(VNPU_RESIDENT_BASE) == 7, "resident memory keeps a word");
        Payload payload;
        tlm::tlm_dmi dmi;
        payload.set_address(VNPU_RESIDENT_BASE);
        must(registers->get_direct_mem_ptr(payload, dmi) && *dmi.get_dmi_ptr() == 7,
             "resident memory is granted");
        std::uint32_t word = 0;
        fill(payload, tlm::TLM_READ_COMMAND, VNPU_REG_ID, word);
        must(registers->transport_dbg(payload) == 4 && word == VNPU_DEVICE_ID,
             "debug transport reads a register");

        const std::uint32_t parameters[16] = {0x544F4F42, 64,
                                              0x00010001, 0x00020001,
                                              0x00020004, read(VNPU_REG_COMMAND_STREAM_VERSION)};
        std::memcpy(bytes_.data(), parameters, sizeof(parameters));
        write(VNPU_REG_BOOT_PARAMETERS_LO, kBase);
        write(VNPU_REG_BOOT_PARAMETERS_HI, 0);
        write(VNPU_REG_IRQ_MASK, VNPU_IRQ_STATUS_MESSAGE_MASK);
        write(VNPU_REG_CONTROL, 0);
        write(VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK);
        wait(irq.posedge_event());
        readyTime = sc_core::sc_time_stamp();
        must((read(VNPU_REG_STATUS) & VNPU_STATUS_STATE_MASK) == 2, "the firmware is ready");
    }

    const bool grants_;
    std::vector<unsigned char> bytes_;
};

int sc_main(int argc, char* argv[]) {
    sc_core::sc_set_time_resolution(argc > 1 ? std::atof(argv[1]) : 1e-12, sc_core::SC_SEC);
    try {
        vnpu::Device::Options wrong;
        wrong.config = "egde";
        const vnpu::Device device("wrong", wrong);
        return 1;
    } catch (const std::runtime_error& error) {
        Host::must(std::string(error.what()).find("\"edge\"") != std::string::npos,
                   "the text names a configuration");
    }
    Host one("one", true);
    Host two("two", false);
    vnpu::Device::Options options;
    options.runsAhead = true;
    vnpu::Device first("first");
    vnpu::Device second("second", options);
    sc_core::sc_signal<bool> lines[2];
    one.registers.bind(first.registers);
    two.registers.bind(second.registers);
    first.memory.bind(one.memory);
    second.memory.bind(two.memory);
    first.irq(lines[0]);
    second.irq(lines[1]);
    one.irq(lines[0]);
    two.irq(lines[1]);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    Host::must(one.transports == 0 && two.transports > 0, "DMI is used where it is granted");
    for (const Host* host : {&one, &two}) {
        std::cout << static_cast<std::uint64_t>(host->readyTime.to_seconds() * 1e12 + 0.5) << " ps"
                  << (host == &one ? ", " : "\n");
    }
    return 0;
}
