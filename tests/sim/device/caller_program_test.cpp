// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/sim/device/library_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

namespace {

/// What a caller's program has seen.
struct Seen {
    int boots = 0;
    int returns = 0;
    std::uint64_t localBytes = 0;
    std::uint32_t answer = 0;
    std::uint32_t physical = 99;
    std::uint32_t outside = 99;
    std::uint32_t outOfRange = 99;
    vnpu_status inside = VNPU_OK;
    vnpu_controller* controller = nullptr;
};

/// Answers each doorbell: adds one to a word of the host's memory and raises the interrupt.
void serveDoorbells(void* user, vnpu_controller* controller) {
    Seen& seen = *static_cast<Seen*>(user);
    ++seen.boots;
    seen.controller = controller;
    vnpu_controller_local_memory(controller, &seen.localBytes);
    seen.inside = vnpu_advance(1);
    vnpu_controller_charge(controller, 100);
    vnpu_controller_write32(controller, VNPU_REG_STATUS_SET, 2);
    while (vnpu_controller_wait(controller, 0) == 0) {
        vnpu_controller_write32(controller, VNPU_REG_CONTROLLER_IRQ_STATUS, 0xFFFFFFFF);
        vnpu_controller_write32(controller, VNPU_REG_DOORBELL_PENDING, 0xFFFFFFFF);
        std::uint32_t word = 0;
        seen.physical = vnpu_controller_read_memory(controller, VNPU_PHYSICAL, Host::kBase, &word,
                                                    sizeof(word));
        ++word;
        vnpu_controller_write_memory(controller, VNPU_PHYSICAL, Host::kBase, &word, sizeof(word));
        seen.outside = vnpu_controller_read_memory(controller, VNPU_PHYSICAL, 16, &word, 4);
        seen.outOfRange = vnpu_controller_read_memory(controller, 12345, 16, &word, 4);
        seen.answer = vnpu_controller_read32(controller, VNPU_REG_ID);
        vnpu_controller_write32(controller, VNPU_REG_IRQ_RAISE, 1);
    }
    ++seen.returns;
}

/// Ignores that it must return.
void neverReturn(void* user, vnpu_controller* controller) {
    ++static_cast<Seen*>(user)->boots;
    while (true) {
        vnpu_controller_wait(controller, 0);
    }
}

void boot(vnpu_device* device) {
    write(device, VNPU_REG_CONTROL, 0);
    write(device, VNPU_REG_CONTROL, VNPU_CONTROL_BOOT_MASK);
}

}  // namespace

TEST_SUITE_BEGIN("sim/device/caller_program");

TEST_CASE("the caller's program runs on the controller, from boot to reset [issue 28]") {
    simCase([] {
        Host host;
        Seen seen;
        vnpu_options options = host.options();
        options.program = {&seen, serveDoorbells};
        vnpu_device* const device = create(options);
        boot(device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(device) == 2);
        CHECK(seen.localBytes > 0);
        CHECK(seen.inside == VNPU_REENTERED);
        write(device, VNPU_REG_IRQ_MASK, 1);
        write(device, VNPU_REG_DOORBELL, 1);
        REQUIRE(vnpu_advance_to_interrupt(kMillisecond) == VNPU_OK);
        CHECK(host.edges == std::vector<int>{1});
        CHECK(host.memory[0] == std::byte{1});
        CHECK(seen.physical == 0);
        CHECK(seen.outside != 0);
        CHECK(seen.outOfRange != 0);
        CHECK(seen.answer == VNPU_DEVICE_ID);
        CHECK(seen.returns == 0);
        // Outside of run(), a controller can do nothing.
        CHECK(vnpu_controller_wait(nullptr, 0) != 0);
        CHECK(vnpu_controller_read32(nullptr, 0) == 0xFFFFFFFF);
        write(device, VNPU_REG_CONTROL, VNPU_CONTROL_RESET_MASK);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(seen.returns == 1);
        CHECK(vnpu_controller_read32(seen.controller, 0) == 0xFFFFFFFF);
        boot(device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(seen.boots == 2);
        CHECK(stateOf(device) == 2);
    });
}

TEST_CASE("a program that ignores its reset does not hold the library [issue 28]") {
    simCase([] {
        Host host;
        Seen seen;
        vnpu_options options = host.options();
        options.program = {&seen, neverReturn};
        vnpu_device* const device = create(options);
        for (int i = 1; i <= 3; ++i) {
            boot(device);
            REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
            CHECK(seen.boots == i);
            REQUIRE(vnpu_device_reset(device) == VNPU_OK);
            REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        }
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
