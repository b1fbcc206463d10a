// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "firmware/api/mailbox.h"
#include "hw_model/regs/registers.h"
#include "sim/bringup/lint_report.h"

namespace vnpu::sim {

/// The rules about the order of boot, mailbox, contexts, rings and jobs, and about what the device
/// reads in the host's memory. Follows the device's state from what passes on the bus, from
/// power-on to the next reset, after which a new object begins.
class LintProtocol {
  public:
    explicit LintProtocol(LintReport& report) : report_(report) {}

    // Accesses that the device answered.
    void read(std::uint64_t time, std::uint32_t offset, std::uint32_t value);
    void written(std::uint64_t time, std::uint32_t offset, std::uint32_t value);
    void memoryRead(std::uint64_t time, std::uint64_t address, std::span<const std::byte> data);
    void busError(std::uint64_t time, std::uint64_t address, std::size_t bytes, bool isWrite);

    bool isInReset() const { return isInReset_; }

  private:
    struct Ring {
        std::uint64_t address = 0;
        std::uint32_t context = 0;
        std::uint32_t slotCount = 0;  // 0: the header has not been read yet
        std::uint32_t tail = 0;
    };
    struct TablePage {
        std::uint32_t context = 0;
        std::uint32_t level = 0;
    };

    void writeControl(std::uint64_t time, std::uint32_t value);
    void checkBoot(std::uint64_t time);
    void writeMailboxWord(std::uint64_t time, std::uint32_t index, std::uint32_t value);
    void sendMessage(std::uint64_t time);
    void checkMessage(std::uint64_t time, const fw::Message& message);
    void createContext(std::uint64_t time, const fw::Message& message);
    void destroyContext(std::uint64_t time, std::uint32_t context);
    void createRing(std::uint64_t time, const fw::Message& message);
    void readMailboxWord(std::uint64_t time, std::uint32_t index, std::uint32_t value);
    void takeReply();
    void ringDoorbell(std::uint64_t time, std::uint32_t index, std::uint32_t tail);
    void checkBootParameters(std::uint64_t time, std::span<const std::byte> data);
    void checkRingHeader(std::uint64_t time, std::uint32_t index, Ring& ring,
                         std::span<const std::byte> data);
    void checkSlot(std::uint64_t time, std::uint32_t index, std::span<const std::byte> data);
    void checkTableEntry(std::uint64_t time, TablePage page, std::uint64_t address,
                         std::span<const std::byte> data);
    std::string placeOf(std::uint64_t address) const;

    LintReport& report_;
    bool isInReset_ = true;
    bool isRunning_ = false;  // BOOT was set
    bool isReady_ = false;
    std::uint64_t bootAddress_ = 0;
    using Words = std::array<std::uint32_t, hw::regs::kMailboxWords>;
    Words sent_{};
    Words received_{};
    std::uint32_t wordsRead_ = 0;
    bool isInFull_ = false;                            // as far as the host knows
    bool isOutFull_ = false;                           // likewise
    fw::Message request_{};                            // the last one, without its seal
    std::map<std::uint32_t, std::uint64_t> contexts_;  // to the root
    std::map<std::uint32_t, Ring> rings_;
    std::map<std::uint64_t, TablePage> tables_;  // by address
};

}  // namespace vnpu::sim
