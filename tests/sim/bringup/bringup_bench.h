// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/port/device_port.h"
#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "hw_model/regs/registers.h"

namespace vnpu::test {

namespace regs = hw::regs;

/// A driver in pieces for a device under lint, which a test assembles with one mistake. It has one
/// context and one ring, and no interrupt handler unless it asks for one.
class BringupHost {
  public:
    explicit BringupHost(driver::DevicePort& port) : port_(port) {}

    driver::DevicePort& port() { return port_; }

    std::uint32_t read(std::uint32_t offset) { return port_.read32(offset); }
    template <typename Register>
    std::uint32_t read(std::uint32_t index = 0) {
        return read(Register::kSpec.at(index));
    }
    void write(std::uint32_t offset, std::uint32_t value) { port_.write32(offset, value); }
    template <typename Register>
    void write(std::uint32_t value, std::uint32_t index = 0) {
        write(Register::kSpec.at(index), value);
    }

    /// Lets time pass.
    void sleep(std::chrono::nanoseconds time);

    /// From now on a right handler serves the interrupts.
    void handleInterrupts();

    /// Right boot parameters; `change` may spoil them.
    void setBootParameters(const std::function<void(fw::BootParameters&)>& change = {});
    /// Releases the reset, boots and takes the message of the firmware, by polling.
    void boot();
    /// Reads the message in the outbound mailbox and releases it, unless told otherwise.
    fw::Message takeMessage(bool releases = true);
    bool awaitMessage();

    /// Writes a message with its seal, hands it over, and takes the reply. Returns its status.
    std::uint32_t request(fw::Message message);
    void send(const fw::Message& message);

    /// A context whose root is a page of zeroes.
    void createContext(std::uint64_t offsetOfRoot = 0);
    /// A ring with one slot that is right; `change` may spoil the header.
    void createRing(const std::function<void(fw::RingHeader&)>& change = {},
                    std::uint64_t offsetOfRing = 0);
    /// Submits a job of one command that does nothing; `change` may spoil the slot.
    void submit(const std::function<void(fw::JobSlot&)>& change = {});
    /// Waits until the ring has as many records as jobs.
    void awaitJobs();

    /// Maps a page at a virtual address; 0 unmaps it.
    void setPage(std::uint64_t virtualAddress, std::uint64_t entry);
    driver::DmaBuffer allocate(std::uint64_t bytes);

    const driver::DmaBuffer& ring() const { return ring_; }
    const driver::DmaBuffer& root() const { return root_; }

  private:
    driver::DevicePort& port_;
    driver::DmaBuffer boot_, root_, tables_[2], page_, ring_;
    std::uint32_t requests_ = 0;
    std::uint32_t tail_ = 0;
    bool hasHandler_ = false;
    bool hasMessage_ = false;
    fw::Message message_{};
};

/// Runs the body as the host of an "edge" device and returns what lint says, its summary included.
std::vector<std::string> linesOf(const std::function<void(BringupHost&)>& body);

/// Runs the body in a process of its own and checks that lint reports this rule for this register,
/// and nothing else.
void checkMistake(const std::string& registerName, const std::string& rule,
                  const std::function<void(BringupHost&)>& body);

}  // namespace vnpu::test
