// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/vcd_writer.h"

#include <doctest/doctest.h>

#include <sstream>

namespace {

using vnpu::sim::VcdWriter;

const std::string kHeader =
        "$version vnpu $end\n$timescale 1 ns $end\n"
        "$scope module npu $end\n$scope module mac $end\n"
        "$var wire 1 ! busy $end\n$var wire 8 \" queue [7:0] $end\n"
        "$upscope $end\n$upscope $end\n"
        "$enddefinitions $end\n";

/// A dump of two signals, both 0 at first.
struct Dump {
    explicit Dump(VcdWriter::Window window) : writer(out, window) {
        busy = writer.addSignal("npu.mac", "busy", 1);
        queue = writer.addSignal("npu.mac", "queue", 8);
        writer.begin();
        writer.set(busy, 0);
        writer.set(queue, 0);
    }

    std::string text(std::uint64_t endNs) {
        writer.end(endNs);
        return out.str();
    }

    std::ostringstream out;
    VcdWriter writer;
    std::size_t busy = 0;
    std::size_t queue = 0;
};

TEST_SUITE_BEGIN("sim/trace/vcd_writer");

TEST_CASE("header, initial values and changes are written [E-6]") {
    Dump dump({});
    dump.writer.advance(10);
    dump.writer.set(dump.busy, 1);
    dump.writer.set(dump.queue, 5);
    dump.writer.advance(20);
    dump.writer.set(dump.queue, std::nullopt);
    CHECK(dump.text(30) ==
          kHeader + "#0\n$dumpvars\n0!\nb0 \"\n$end\n#10\n1!\nb101 \"\n#20\nbx \"\n#30\n");
}

TEST_CASE("a signal that was never set is unknown [E-6]") {
    std::ostringstream out;
    VcdWriter writer(out, {});
    writer.addSignal("a", "s", 1);
    writer.begin();
    writer.end(1);
    CHECK(out.str().find("#0\n$dumpvars\nx!\n$end\n#1\n") != std::string::npos);
}

TEST_CASE("only the last value at a time is written [E-6]") {
    Dump dump({});
    dump.writer.advance(10);
    dump.writer.set(dump.busy, 1);
    dump.writer.set(dump.busy, 0);
    dump.writer.advance(20);
    dump.writer.set(dump.queue, 1);
    CHECK(dump.text(21) == kHeader + "#0\n$dumpvars\n0!\nb0 \"\n$end\n#20\nb1 \"\n#21\n");
}

TEST_CASE("a window begins with the values of its start and ends with its end [E-6]") {
    Dump dump({.fromNs = 15, .toNs = 20});
    for (std::uint64_t time = 10; time <= 40; time += 5) {
        dump.writer.advance(time);
        dump.writer.set(dump.queue, time);
    }
    CHECK(dump.text(50) == kHeader + "#15\n$dumpvars\n0!\nb1111 \"\n$end\n#20\nb10100 \"\n#20\n");
}

TEST_CASE("a window between two changes has the value before it [E-6]") {
    Dump dump({.fromNs = 15, .toNs = 20});
    dump.writer.advance(10);
    dump.writer.set(dump.queue, 3);
    dump.writer.advance(30);
    dump.writer.set(dump.queue, 4);
    CHECK(dump.text(50) == kHeader + "#15\n$dumpvars\n0!\nb11 \"\n$end\n#20\n");
}

TEST_CASE("scopes open and close according to the signals' names [E-6]") {
    std::ostringstream out;
    VcdWriter writer(out, {});
    writer.addSignal("top.one", "a", 1);
    writer.addSignal("top.two", "b", 1);
    writer.begin();
    CHECK(out.str().find("$scope module top $end\n$scope module one $end\n$var wire 1 ! a "
                         "$end\n$upscope $end\n"
                         "$scope module two $end\n$var wire 1 \" b $end\n$upscope "
                         "$end\n$upscope $end\n") != std::string::npos);
}

TEST_CASE("short names have two characters after ninety-four signals [E-6]") {
    std::ostringstream out;
    VcdWriter writer(out, {});
    for (int i = 0; i < 96; ++i) {
        writer.addSignal("top", "s", 1);
    }
    writer.begin();
    CHECK(out.str().find(
                  "$var wire 1 ~ s $end\n$var wire 1 !\" s $end\n$var wire 1 \"\" s $end\n") !=
          std::string::npos);
}

TEST_SUITE_END();

}  // namespace
