// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/sim/device/library_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

namespace {

/// The device that the options do not give, and why.
void checkRefused(const vnpu_options& options, vnpu_status expected, const std::string& text) {
    CAPTURE(text);
    int place = 0;
    auto* device = reinterpret_cast<vnpu_device*>(&place);
    CHECK(vnpu_device_create(&options, &device) == expected);
    CHECK(device == nullptr);
    CAPTURE(vnpu_last_error());
    CHECK(std::string(vnpu_last_error()).find(text) != std::string::npos);
}

void checkText(const std::string& text) {
    CAPTURE(vnpu_last_error());
    CHECK(std::string(vnpu_last_error()).find(text) != std::string::npos);
}

}  // namespace

TEST_SUITE_BEGIN("sim/device/wrong_calls");

TEST_CASE("wrong options are refused with a text [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* device = nullptr;
        CHECK(std::string(vnpu_last_error()).empty());
        CHECK(vnpu_device_create(nullptr, &device) == VNPU_INVALID_ARGUMENT);
        vnpu_options options = host.options();
        CHECK(vnpu_device_create(&options, nullptr) == VNPU_INVALID_ARGUMENT);
        options.struct_size = 0;
        checkRefused(options, VNPU_INVALID_ARGUMENT, "struct_size is 0");
        options.struct_size = static_cast<std::size_t>(-1);
        checkRefused(options, VNPU_INVALID_ARGUMENT, "struct_size is 18446744073709551615");
        options = host.options();
        options.flags = 8;
        checkRefused(options, VNPU_INVALID_ARGUMENT, "flags is 0x8");
        options = host.options();
        options.host.dma_read = nullptr;
        checkRefused(options, VNPU_INVALID_ARGUMENT, "host.dma_read is null");
        options = host.options();
        options.host.irq = nullptr;
        checkRefused(options, VNPU_INVALID_ARGUMENT, "host.irq is null");
        options = host.options();
        options.config = "egde";
        checkRefused(options, VNPU_BAD_CONFIG, "did you mean \"edge\"");
        options.config = "/nowhere/x.toml";
        checkRefused(options, VNPU_BAD_CONFIG, "can't be read");
        options = host.options();
        options.settings = "/nowhere/x.toml";
        checkRefused(options, VNPU_BAD_CONFIG, "can't be read");
        options = host.options();
        options.record = "/nowhere/x";
        checkRefused(options, VNPU_IO_ERROR, "/nowhere/x");
        options.record = nullptr;
        CHECK(vnpu_device_create(&options, &device) == VNPU_OK);
    });
}

TEST_CASE("options of a later version are accepted where they are zero [issue 28]") {
    simCase([] {
        Host host;
        struct {
            vnpu_options options;
            std::uint64_t later;
        } later{host.options(), 1};
        later.options.struct_size = sizeof(later);
        checkRefused(later.options, VNPU_INVALID_ARGUMENT, "does not have");
        later.later = 0;
        vnpu_device* device = nullptr;
        CHECK(vnpu_device_create(&later.options, &device) == VNPU_OK);
    });
}

TEST_CASE("wrong accesses are refused, and the device works on [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        std::uint32_t value = 0;
        CHECK(vnpu_device_read32(nullptr, 0, &value) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read32(reinterpret_cast<vnpu_device*>(&value), 0, &value) ==
              VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read32(device, 0, nullptr) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read32(device, 2, &value) == VNPU_INVALID_ARGUMENT);
        checkText("offset is 0x2");
        CHECK(vnpu_device_read32(device, 0x7FFC, &value) == VNPU_NO_REGISTER);
        CHECK(value == 0xFFFFFFFF);
        checkText("no register at offset 0x7ffc");
        CHECK(vnpu_device_read32(device, UINT32_MAX - 3, &value) == VNPU_NO_REGISTER);
        CHECK(vnpu_device_write32(device, VNPU_REG_STATUS, 1) == VNPU_NO_REGISTER);
        checkText("register STATUS at offset 0x44 is read-only");
        CHECK(vnpu_device_read32(device, VNPU_REG_DOORBELL, &value) == VNPU_NO_REGISTER);
        checkText("write-only");
        CHECK(vnpu_device_write32(device, VNPU_REG_IRQ_RAISE, 1) == VNPU_NO_REGISTER);
        checkText("the controller's own");
        CHECK(vnpu_device_read_resident(device, UINT64_MAX, &value, 4) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read_resident(device, 4, &value, UINT64_MAX) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read_resident(device, 0, nullptr, 4) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_device_read_resident(device, 0, nullptr, 0) == VNPU_OK);
        CHECK(vnpu_device_dump(device, nullptr, 1, nullptr) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_advance(VNPU_NEVER) == VNPU_INVALID_ARGUMENT);
        CHECK(read(device, VNPU_REG_ID) == VNPU_DEVICE_ID);
        CHECK(std::string(vnpu_status_name(VNPU_NO_REGISTER)) == "VNPU_NO_REGISTER");
        CHECK(std::string(vnpu_status_name(static_cast<vnpu_status>(10))) == "unknown status");
    });
}

TEST_CASE("without a device nothing can be done; destroyed ones are refused [issue 28]") {
    simCase([] {
        CHECK(vnpu_advance(1) == VNPU_INVALID_ARGUMENT);
        CHECK(vnpu_now() == 0);
        CHECK(vnpu_next_event() == VNPU_NEVER);
        CHECK(vnpu_device_irq(nullptr) == 0);
        CHECK(vnpu_device_register_bytes(nullptr) == 0);
        vnpu_device_destroy(nullptr);
        Host host;
        vnpu_device* const device = create(host.options());
        startBoot(host, device);
        vnpu_device_destroy(device);
        std::uint32_t value = 0;
        CHECK(vnpu_device_read32(device, 0, &value) == VNPU_INVALID_ARGUMENT);
        vnpu_device_destroy(device);
        checkText("destroyed");
        CHECK(vnpu_advance(1) == VNPU_INVALID_ARGUMENT);
        vnpu_device* const other = create(host.options());
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(host.reads == 0);
        CHECK(host.edges.empty());
        vnpu_device_destroy(other);
        const vnpu_options options = host.options();
        checkRefused(options, VNPU_TOO_LATE, "before the first vnpu_advance()");
    });
}

TEST_CASE("other threads are refused [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        std::thread([&] {
            std::uint32_t value = 0;
            CHECK(vnpu_device_read32(device, 0, &value) == VNPU_WRONG_THREAD);
            CHECK(vnpu_advance(1) == VNPU_WRONG_THREAD);
            CHECK(vnpu_now() == 0);
            vnpu_device_destroy(device);
            checkText("another thread");
            const vnpu_options options = host.options();
            checkRefused(options, VNPU_WRONG_THREAD, "another thread");
        }).join();
        CHECK(read(device, VNPU_REG_ID) == VNPU_DEVICE_ID);
    });
}

TEST_CASE("a thread whose creation failed does not own the library [issue 28]") {
    simCase([] {
        Host host;
        std::thread([&] {
            vnpu_options options = host.options();
            options.config = "egde";
            checkRefused(options, VNPU_BAD_CONFIG, "egde");
        }).join();
        CHECK(read(create(host.options()), VNPU_REG_ID) == VNPU_DEVICE_ID);
    });
}

TEST_CASE("calls from callbacks are refused, except for the time [issue 28]") {
    simCase([] {
        Host host;
        vnpu_device* const device = create(host.options());
        vnpu_status status = VNPU_OK;
        vnpu_status advanced = VNPU_OK;
        std::uint64_t now = 0;
        host.onRead = [&] {
            std::uint32_t value = 0;
            status = vnpu_device_read32(device, 0, &value);
            advanced = vnpu_advance(1);
            now = vnpu_now();
            vnpu_device_destroy(device);
        };
        startBoot(host, device);
        REQUIRE(vnpu_advance(1000) == VNPU_OK);
        REQUIRE(vnpu_advance(kMillisecond) == VNPU_OK);
        CHECK(status == VNPU_REENTERED);
        CHECK(advanced == VNPU_REENTERED);
        CHECK(now > 0);
        CHECK(stateOf(device) == 2);
    });
}

TEST_CASE("an exception of a callback stops the library, but not the process [issue 28]") {
    simCase([] {
        skipLeakCheck();
        Host host;
        vnpu_device* const device = create(host.options());
        host.onRead = [] { throw std::runtime_error("of the host"); };
        startBoot(host, device);
        CHECK(vnpu_advance(kMillisecond) == VNPU_INTERNAL_ERROR);
        checkText("of the host");
        std::uint32_t value = 0;
        CHECK(vnpu_device_read32(device, 0, &value) == VNPU_INTERNAL_ERROR);
        vnpu_device_destroy(device);
        CHECK(vnpu_advance(1) == VNPU_INTERNAL_ERROR);
    });
}

TEST_CASE("a wrong VNPU_KERNELS is refused [issue 28]") {
    simCase([] {
        ::setenv("VNPU_KERNELS", "fast", 1);
        Host host;
        const vnpu_options options = host.options();
        checkRefused(options, VNPU_INVALID_ARGUMENT, "VNPU_KERNELS");
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
