// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "hw_model/regs/page_table.h"
#include "tests/sim/bringup/bringup_bench.h"

using namespace vnpu::test;
namespace fw = vnpu::fw;
namespace hw = vnpu::hw;
namespace regs = vnpu::hw::regs;

namespace {

constexpr std::uint64_t kCommandPage = 0x10000;

}  // namespace

TEST_SUITE_BEGIN("sim/bringup/wrong_jobs");

TEST_CASE("a misaligned root page table is reported") {
    checkMistake("MAILBOX_IN[6]", "mmu-root-misaligned", [](BringupHost& host) {
        host.boot();
        host.createContext(/*offsetOfRoot=*/64);
    });
}

TEST_CASE("a context that is in use already is reported") {
    checkMistake("MAILBOX_IN[4]", "context-misuse", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createContext();
    });
}

TEST_CASE("a ring of a context that does not exist is reported") {
    checkMistake("MAILBOX_IN[4]", "context-misuse", [](BringupHost& host) {
        host.boot();
        host.createRing();
    });
}

TEST_CASE("a misaligned ring is reported") {
    checkMistake("MAILBOX_IN[6]", "ring-misaligned", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing({}, /*offsetOfRing=*/64);
    });
}

TEST_CASE("the end of a ring that does not exist is reported") {
    checkMistake("MAILBOX_IN[5]", "ring-misuse", [](BringupHost& host) {
        host.boot();
        fw::Message message{};
        message.type = fw::MessageType::kDestroyRing;
        message.target.ring = 5;
        host.request(message);
    });
}

TEST_CASE("a ring with a wrong header is reported") {
    checkMistake("MAILBOX_IN[6]", "bad-ring-header", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing([](fw::RingHeader& header) { header.slotCount = 3; });
    });
}

TEST_CASE("a doorbell before its ring exists is reported") {
    checkMistake("DOORBELL[0]", "doorbell-before-ring", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.write<regs::Doorbell>(1);
    });
}

TEST_CASE("a doorbell with an impossible tail is reported") {
    checkMistake("DOORBELL[0]", "doorbell-tail", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing();
        host.write<regs::Doorbell>(9);
    });
}

TEST_CASE("a job slot that the firmware refuses is reported by its field") {
    checkMistake("DOORBELL[0]", "bad-job-slot", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing();
        host.submit([](fw::JobSlot& slot) { slot.commandBytes += 4; });
        host.awaitJobs();
    });
}

TEST_CASE("a page table entry with unknown bits is reported") {
    checkMistake("MAILBOX_IN[6]", "bad-page-table-entry", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing();
        const auto page = host.allocate(hw::kPageBytes);
        host.submit();
        host.setPage(kCommandPage, hw::PageTableEntry::page(page.busAddress, false, false) | 0x80);
        host.awaitJobs();
    });
}

TEST_CASE("a TLB that was not invalidated after an unmap is reported") {
    checkMistake("MMU_INVALIDATE", "stale-tlb", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing();
        host.submit();
        host.awaitJobs();
        host.setPage(kCommandPage, 0);
        host.submit();
        host.awaitJobs();
    });
}

TEST_CASE("a page outside of the host's memory is reported") {
    checkMistake("DMA", "dma-bus-error", [](BringupHost& host) {
        host.boot();
        host.createContext();
        host.createRing();
        host.submit();
        host.setPage(kCommandPage, hw::PageTableEntry::page(0x7777'0000'0000, false, false));
        host.awaitJobs();
    });
}

TEST_SUITE_END();
