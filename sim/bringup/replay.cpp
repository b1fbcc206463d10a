// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/replay.h"

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <systemc>
#include <tlm>
#include <tuple>
#include <utility>
#include <vector>

#include "firmware/core/firmware.h"
#include "hw_model/blocks/device.h"
#include "hw_model/regs/registers.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

using Kind = BusEvent::Kind;

constexpr int kMostDeltas = 16;  // chosen: more than the way of an interrupt to the line takes
constexpr std::uint64_t kTailTime = 10'000'000'000;  // chosen: 10 ms, longer than any job's end

std::string valueText(std::uint32_t offset, std::uint32_t value, bool isAnswered) {
    const std::string fields = fieldsText(offset, value);
    return fmt::format("{:#010x}{}{}", value, fields.empty() ? "" : " " + fields,
                       isAnswered ? "" : ", not answered");
}

std::string transferText(Kind kind, std::uint64_t address, std::uint64_t size) {
    return fmt::format("DMA {} of {} bytes at {:#x}", kind == Kind::kMemoryRead ? "read" : "write",
                       size, address);
}

/// The host's side of a recording.
class ReplayHost : public sc_core::sc_module {
  public:
    ReplayHost(const sc_core::sc_module_name& name, const Recording& recording, hw::Device& device);

    SC_HAS_PROCESS(ReplayHost);

    tlm_utils::simple_initiator_socket<ReplayHost> registers;
    tlm_utils::simple_target_socket<ReplayHost> memory;
    sc_core::sc_in<bool> irq;

    ReplayResult result;

  private:
    using Transfer = std::tuple<Kind, std::uint64_t, std::uint64_t>;  // kind, address, size

    void play();
    void playEvent(const BusEvent& event);
    void awaitTime(std::uint64_t time);
    void followLine();
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool answer(const BusEvent& event, tlm::tlm_generic_payload& payload);
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                    std::span<std::byte> data);
    void reportMissing();
    void differ(ReplayDifference difference);

    const Recording& recording_;
    hw::Device& device_;
    std::map<Transfer, std::deque<const BusEvent*>> transfers_;
    std::vector<const BusEvent*> edges_;
    std::size_t nextEdge_ = 0;
    std::uint64_t transfersLeft_ = 0;
    bool isAtTail_ = false;  // all accesses of the host were played
};

ReplayHost::ReplayHost(const sc_core::sc_module_name& name, const Recording& recording,
                       hw::Device& device)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      irq("irq"),
      recording_(recording),
      device_(device) {
    registers.bind(device.registers);
    device.memory.bind(memory);
    for (const BusEvent& event : recording_.events) {
        if (event.kind == Kind::kMemoryRead || event.kind == Kind::kMemoryWrite) {
            transfers_[{event.kind, event.address, event.size}].push_back(&event);
            ++transfersLeft_;
        } else if (event.kind == Kind::kInterrupt) {
            edges_.push_back(&event);
        }
    }
    memory.register_b_transport(this, &ReplayHost::transport);
    SC_THREAD(play);
    SC_METHOD(followLine);
    sensitive << irq;
    dont_initialize();
}

void ReplayHost::differ(ReplayDifference difference) {
    if (!result.difference) {
        result.difference = std::move(difference);
        sc_core::sc_stop();
    }
}

void ReplayHost::awaitTime(std::uint64_t time) {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    if (time > now) {
        wait(sc_core::sc_time::from_value(time - now));
    }
}

void ReplayHost::play() {
    std::size_t edges = 0;
    std::uint64_t lastTime = 0;
    for (const BusEvent& event : recording_.events) {
        lastTime = event.time;
        if (event.kind == Kind::kInterrupt) {
            ++edges;
        } else if (event.kind != Kind::kMemoryRead && event.kind != Kind::kMemoryWrite) {
            awaitTime(event.time);
            for (int i = 0; i < kMostDeltas && nextEdge_ < edges; ++i) {
                wait(sc_core::SC_ZERO_TIME);
            }
            playEvent(event);
        }
        if (result.difference) {
            return;
        }
    }
    isAtTail_ = true;
    const std::uint64_t end = lastTime + kTailTime;
    awaitTime(lastTime);
    while ((transfersLeft_ != 0 || nextEdge_ < edges_.size()) && !result.difference &&
           sc_core::sc_time_stamp().value() < end) {
        wait(sc_core::sc_time(1, sc_core::SC_US));
    }
    reportMissing();
    if (!result.difference) {
        sc_core::sc_stop();
    }
}

void ReplayHost::playEvent(const BusEvent& event) {
    if (event.kind == Kind::kPowerCycle) {
        device_.powerCycle();
        return;
    }
    const auto offset = static_cast<std::uint32_t>(event.address);
    std::uint32_t value = event.value;
    const auto bytes = std::as_writable_bytes(std::span(&value, 1));
    if (event.kind == Kind::kResidentWrite) {
        std::vector<std::byte> data(event.data.begin(), event.data.end());
        access(tlm::TLM_WRITE_COMMAND, hw::regs::kResidentBase + event.address, data);
        return;
    }
    const bool isRead = event.kind == Kind::kRegisterRead;
    const bool isAnswered = access(isRead ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, offset,
                                   bytes) == tlm::TLM_OK_RESPONSE;
    if (!isAnswered && isRead) {
        value = 0xFFFFFFFF;  // as the host's bus answers
    }
    if (isAnswered != event.isAnswered || value != event.value) {
        differ({event.time,
                fmt::format("{} of {}", isRead ? "read" : "write", registerName(offset)),
                valueText(offset, event.value, event.isAnswered),
                valueText(offset, value, isAnswered)});
        return;
    }
    ++result.accesses;
}

tlm::tlm_response_status ReplayHost::access(tlm::tlm_command command, std::uint64_t address,
                                            std::span<std::byte> data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data.data()));
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    registers->b_transport(payload, delay);
    return payload.get_response_status();
}

void ReplayHost::followLine() {
    if (result.difference) {
        return;
    }
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    const auto text = [](std::uint64_t time, bool isHigh) {
        return fmt::format("{} at {}", isHigh ? "high" : "low", timeText(time));
    };
    if (nextEdge_ == edges_.size()) {
        if (!isAtTail_) {
            differ({now, "interrupt line", "no further change", text(now, irq.read())});
        }
        return;
    }
    const BusEvent& edge = *edges_[nextEdge_++];
    if (edge.time != now || edge.isAnswered != irq.read()) {
        differ({std::min(now, edge.time), "interrupt line", text(edge.time, edge.isAnswered),
                text(now, irq.read())});
        return;
    }
    ++result.interrupts;
}

void ReplayHost::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const Kind kind = payload.is_read() ? Kind::kMemoryRead : Kind::kMemoryWrite;
    const auto found = transfers_.find({kind, payload.get_address(), payload.get_data_length()});
    if (found == transfers_.end() || found->second.empty()) {
        if (!isAtTail_) {
            differ({sc_core::sc_time_stamp().value(),
                    transferText(kind, payload.get_address(), payload.get_data_length()),
                    "no such transfer", "one more"});
        }
        return;
    }
    const BusEvent& event = *found->second.front();
    found->second.pop_front();
    --transfersLeft_;
    if (answer(event, payload)) {
        ++result.transfers;
    }
    if (event.isAnswered) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
}

bool ReplayHost::answer(const BusEvent& event, tlm::tlm_generic_payload& payload) {
    const auto data =
            std::as_writable_bytes(std::span(payload.get_data_ptr(), payload.get_data_length()));
    if (event.kind == Kind::kMemoryRead) {
        std::copy(event.data.begin(), event.data.end(), data.begin());
        return true;
    }
    const std::string what = transferText(event.kind, event.address, event.size);
    if (event.size > Recording::kLongestWrite) {
        std::uint64_t expected = 0;
        std::memcpy(&expected, event.data.data(), sizeof(expected));
        const std::uint64_t got = digest(data);
        if (got != expected) {
            differ({event.time, what, fmt::format("digest {:#x}", expected),
                    fmt::format("digest {:#x}", got)});
        }
        return got == expected;
    }
    const auto [wrong, expected] = std::mismatch(data.begin(), data.end(), event.data.begin());
    if (wrong != data.end()) {
        const auto at = wrong - data.begin();
        differ({event.time, what,
                fmt::format("byte {} is {:#04x}", at, static_cast<unsigned>(*expected)),
                fmt::format("{:#04x}", static_cast<unsigned>(*wrong))});
    }
    return wrong == data.end();
}

void ReplayHost::reportMissing() {
    if (nextEdge_ < edges_.size()) {
        const BusEvent& edge = *edges_[nextEdge_];
        differ({edge.time, "interrupt line", edge.isAnswered ? "high" : "low", "no change"});
    }
    const BusEvent* first = nullptr;
    for (const auto& [key, events] : transfers_) {
        if (!events.empty() && (first == nullptr || events.front() < first)) {
            first = events.front();
        }
    }
    if (first != nullptr) {
        differ({first->time, transferText(first->kind, first->address, first->size), "one transfer",
                "none"});
    }
}

}  // namespace

ReplayResult replay(const Recording& recording, const hw::NpuConfig& config) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
    hw::Device device("npu", hw::Device::Options{.config = config,
                                                 .firmware = fw::createFirmware(),
                                                 .mayRunAhead = true});
    sc_core::sc_signal<bool> line("line");
    ReplayHost host("host", recording, device);
    device.irq(line);
    host.irq(line);
    sc_core::sc_start();
    return std::move(host.result);
}

}  // namespace vnpu::sim
