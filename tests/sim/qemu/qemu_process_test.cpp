// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qemu_process.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"

TEST_SUITE_BEGIN("sim/qemu/qemu_process");

TEST_CASE("QEMU gets the sockets, shared memory and the user's arguments [issue 28.5]") {
    vnpu::sim::QemuMachine machine;
    machine.program = "sh";
    machine.kernel = "/boot/vmlinuz";
    machine.more = {"-snapshot"};
    const auto words = qemuWords(machine, 7, 9);
    const auto has = [&](const char* option, const char* value) {
        const auto found = std::find(words.begin(), words.end(), option);
        return found != words.end() && found + 1 != words.end() && found[1] == value;
    };
    CHECK(words[0].ends_with("/sh"));
    CHECK(has("-device", "x-pci-proxy-dev,id=vnpu,fd=7"));
    CHECK(has("-chardev", "socket,id=vnpu-interrupts,fd=9"));
    CHECK(has("-object", "memory-backend-memfd,id=ram,size=512M,share=on"));
    CHECK(has("-kernel", "/boot/vmlinuz"));
    CHECK(has("-append", "console=ttyS0 panic=-1"));
    CHECK(std::find(words.begin(), words.end(), "-initrd") == words.end());
    CHECK(words.back() == "-snapshot");
}

TEST_CASE("a QEMU that is not there is the user's mistake [issue 28.5]") {
    CHECK_THROWS_WITH_AS(vnpu::sim::findProgram("no-such-qemu"),
                         doctest::Contains("qemu-system-x86"), vnpu::sim::InputError);
    CHECK_THROWS_AS(vnpu::sim::findProgram("/no/such/qemu"), vnpu::sim::InputError);
    CHECK(vnpu::sim::findProgram("/bin/sh") == "/bin/sh");
}

TEST_SUITE_END();
