// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "hw_model/regs/registers.h"
#include "tests/sim/device/library_bench.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

TEST_SUITE_BEGIN("sim/device/library");

TEST_CASE(
        "boots the firmware; the line rises within an advance and falls within a write [issue "
        "28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        CHECK(read(device, VNPU_REG_ID) == VNPU_DEVICE_ID);
        CHECK(vnpu_device_register_bytes(device) == hw::regs::kWindowBytes);
        startBoot(host, device);
        CHECK(vnpu_device_irq(device) == 0);
        REQUIRE(vnpu_advance_to_interrupt(kMillisecond) == VNPU_OK);
        CHECK(host.edges == std::vector<int>{1});
        CHECK(vnpu_device_irq(device) == 1);
        CHECK(vnpu_now() > 0);
        CHECK(vnpu_now() < kMillisecond);
        CHECK(stateOf(device) == 2);
        write(device, VNPU_REG_MAILBOX_OUT_CONTROL, 0);
        write(device, VNPU_REG_IRQ_STATUS, VNPU_IRQ_STATUS_MESSAGE_MASK);
        CHECK(host.edges == std::vector<int>{1, 0});
        CHECK(vnpu_device_irq(device) == 0);
        vnpu_device_destroy(device);
    });
}

TEST_CASE("time passes as asked, and the next event tells how far nothing happens [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        CHECK(vnpu_now() == 0);
        CHECK(vnpu_next_event() == 0);
        REQUIRE(vnpu_advance(1500) == VNPU_OK);
        CHECK(vnpu_now() == 1500);
        CHECK(vnpu_next_event() == VNPU_NEVER);
        startBoot(host, device);
        CHECK(vnpu_next_event() == 0);
        // A host without steps of its own goes from event to event.
        for (int i = 0; i < 1000 && host.edges.empty(); ++i) {
            REQUIRE(vnpu_advance(vnpu_next_event()) == VNPU_OK);
        }
        CHECK(host.edges == std::vector<int>{1});
    });
}

TEST_CASE("the time of boot does not depend on the steps of the host [issue 28]") {
    simCase([] {
        Host fast;
        Host slow;
        vnpu_device* const device = create(fast.options());
        startBoot(fast, device);
        REQUIRE(vnpu_advance_to_interrupt(kMillisecond) == VNPU_OK);
        const std::uint64_t duration = vnpu_now();
        REQUIRE(vnpu_device_reset(device) == VNPU_OK);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        const std::uint64_t start = vnpu_now();
        fast.edges.clear();
        startBoot(fast, device);
        while (fast.edges.empty()) {
            REQUIRE(vnpu_advance(1000) == VNPU_OK);
        }
        CHECK(vnpu_now() - start == duration);
    });
}

TEST_CASE("two devices share the time and nothing else [issue 28]") {
    simCase([] {
        Host one;
        Host two;
        vnpu_device* const first = create(one.options());
        vnpu_options options = two.options();
        options.config = "mobile";
        vnpu_device* const second = create(options);
        CHECK(read(first, VNPU_REG_CONFIG_MAC) != read(second, VNPU_REG_CONFIG_MAC));
        startBoot(two, second);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(first) == 0);
        CHECK(stateOf(second) == 2);
        CHECK(one.edges.empty());
        vnpu_device_destroy(second);
        startBoot(one, first);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(first) == 2);
        CHECK(two.edges == std::vector<int>{1});
    });
}

TEST_CASE("mapped memory is used without callbacks, until it is unmapped [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options(true));
        startBoot(host, device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(device) == 2);
        CHECK(host.reads == 0);
        CHECK(host.maps == 1);
        REQUIRE(vnpu_device_unmap(device, Host::kBase, host.memory.size()) == VNPU_OK);
        REQUIRE(vnpu_device_reset(device) == VNPU_OK);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        startBoot(host, device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(host.maps == 2);
        CHECK(vnpu_device_unmap(device, UINT64_MAX, UINT64_MAX) == VNPU_OK);
    });
}

TEST_CASE("a bus error of the host is reported by the firmware [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        startBoot(host, device);
        write(device, VNPU_REG_BOOT_PARAMETERS_LO, 0x1000);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(device) == 3);
    });
}

TEST_CASE("a reset is a power cycle [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        const std::uint32_t word = 7;
        REQUIRE(vnpu_device_write_resident(device, 0, &word, sizeof(word)) == VNPU_OK);
        startBoot(host, device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK((read(device, VNPU_REG_POWER_STATUS) & VNPU_POWER_STATUS_COLD_MASK) == 0);
        CHECK(read(device, VNPU_REG_PERF_COUNTER + 15 * VNPU_REG_PERF_COUNTER_STRIDE) == 1);
        REQUIRE(vnpu_device_irq(device) == 1);
        REQUIRE(vnpu_device_reset(device) == VNPU_OK);
        CHECK(vnpu_device_irq(device) == 0);
        CHECK(host.edges == std::vector<int>{1, 0});
        CHECK(stateOf(device) == 0);
        CHECK(read(device, VNPU_REG_IRQ_MASK) == 0);
        CHECK((read(device, VNPU_REG_POWER_STATUS) & VNPU_POWER_STATUS_COLD_MASK) != 0);
        CHECK(read(device, VNPU_REG_PERF_COUNTER + 15 * VNPU_REG_PERF_COUNTER_STRIDE) == 0);
        std::uint32_t resident = 1;
        REQUIRE(vnpu_device_read_resident(device, 0, &resident, sizeof(resident)) == VNPU_OK);
        CHECK(resident == 0);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        startBoot(host, device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(device) == 2);
    });
}

TEST_CASE(
        "the state as text has the registers by name, and fits into what it asks for [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        std::size_t needed = 0;
        REQUIRE(vnpu_device_dump(device, nullptr, 0, &needed) == VNPU_OK);
        std::string text(needed, 'x');
        REQUIRE(vnpu_device_dump(device, text.data(), text.size(), nullptr) == VNPU_OK);
        CHECK(text.find('\0') == needed - 1);
        CHECK(text.find("STATUS 0x00000000 STATE=0 BUSY=0") != std::string::npos);
        CHECK(text.find("interrupt line: low") != std::string::npos);
        char start[8] = "xxxxxxx";
        REQUIRE(vnpu_device_dump(device, start, sizeof(start), nullptr) == VNPU_OK);
        CHECK(std::strncmp(start, text.c_str(), 7) == 0);
        CHECK(start[7] == '\0');
    });
}

TEST_CASE("timing only, and settings of a file, with a fault [issue 28]") {
    simCase([] {
        const CommandFolder folder;
        Host host;
        vnpu_options options = host.options();
        options.flags = VNPU_TIMING_ONLY;
        const std::string file = folder.write(
                "device.toml", "[[fault]]\nkind = \"spurious-interrupt\"\nat = \"2 us\"\n");
        options.settings = file.c_str();
        vnpu_device* const device = create(options);
        CHECK((read(device, VNPU_REG_PLATFORM) & VNPU_PLATFORM_TIMING_ONLY_MASK) != 0);
        REQUIRE(vnpu_advance_to_interrupt(kMillisecond) == VNPU_OK);
        CHECK(vnpu_now() == 2000 * VNPU_PS_PER_NS);
        REQUIRE(host.lines.size() == 1);
        CHECK(host.lines[0].find("spurious-interrupt") != std::string::npos);
    });
}

TEST_CASE("lint and recording see the accesses; memory is then not mapped [issue 28]") {
    simCase([] {
        const CommandFolder folder;
        Host host;
        vnpu_options options = host.options(true);
        const std::string file = folder / "run.vnpurec";
        options.flags = VNPU_LINT;
        options.record = file.c_str();
        vnpu_device* const device = create(options);
        CHECK(vnpu_device_lint_count(device) == 0);
        CHECK(vnpu_device_write32(device, VNPU_REG_ID, 1) == VNPU_NO_REGISTER);
        CHECK(vnpu_device_write32(device, 2, 1) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_lint_count(device) >= 2);
        startBoot(host, device);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(stateOf(device) == 2);
        CHECK(host.maps == 0);
        CHECK(host.reads > 0);
        const std::size_t before = host.lines.size();
        vnpu_device_destroy(device);
        CHECK(host.lines.size() > before);
        CHECK(folder.read("run.vnpurec").size() > 100);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
