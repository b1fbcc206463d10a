// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/regs/check.h"
#include "sim/base/split.h"

namespace vnpu::sim {

namespace {

/// Numbers in the printable characters '!' to '~', least significant digit first.
std::string shortName(std::size_t number) {
    constexpr std::size_t kDigits = 94;
    std::string code;
    do {
        code += static_cast<char>('!' + number % kDigits);
        number /= kDigits;
    } while (number != 0);
    return code;
}

}  // namespace

std::size_t VcdWriter::addSignal(std::string_view scope, std::string_view name, unsigned bits,
                                 Value initial) {
    VNPU_CHECK(bits >= 1 && bits <= 64, "a signal has 1 to 64 bits");
    Signal signal;
    signal.scope = scope;
    signal.name = name;
    signal.bits = bits;
    signal.code = shortName(signals_.size());
    signal.value = initial;
    signals_.push_back(std::move(signal));
    return signals_.size() - 1;
}

void VcdWriter::writeScopes() {
    std::vector<std::string> open;
    for (const Signal& signal : signals_) {
        const std::vector<std::string> wanted = split(signal.scope, '.');
        std::size_t common = 0;
        while (common < open.size() && common < wanted.size() && open[common] == wanted[common]) {
            ++common;
        }
        for (; open.size() > common; open.pop_back()) {
            out_ << "$upscope $end\n";
        }
        for (; open.size() < wanted.size(); open.push_back(wanted[open.size()])) {
            out_ << "$scope module " << wanted[open.size()] << " $end\n";
        }
        const std::string range = signal.bits == 1 ? "" : fmt::format(" [{}:0]", signal.bits - 1);
        out_ << fmt::format("$var wire {} {} {}{} $end\n", signal.bits, signal.code, signal.name,
                            range);
    }
    for (; !open.empty(); open.pop_back()) {
        out_ << "$upscope $end\n";
    }
}

void VcdWriter::begin() {
    out_ << "$version vnpu $end\n$timescale 1 ns $end\n";
    writeScopes();
    out_ << "$enddefinitions $end\n";
}

void VcdWriter::writeValue(const Signal& signal) {
    const std::string digits = signal.value ? fmt::format("{:b}", *signal.value) : "x";
    out_ << (signal.bits == 1 ? digits : 'b' + digits + ' ') << signal.code << '\n';
}

void VcdWriter::writeInitialValues(std::uint64_t timeNs) {
    out_ << '#' << timeNs << "\n$dumpvars\n";
    for (Signal& signal : signals_) {
        writeValue(signal);
        signal.written = signal.value;
        signal.isPending = false;
    }
    out_ << "$end\n";
    pending_.clear();
    isOpen_ = true;
}

void VcdWriter::flush() {
    bool hasTime = false;
    for (const std::size_t index : pending_) {
        Signal& signal = signals_[index];
        signal.isPending = false;
        if (signal.value == signal.written) {
            continue;
        }
        if (!hasTime) {
            out_ << '#' << nowNs_ << '\n';
            hasTime = true;
        }
        writeValue(signal);
        signal.written = signal.value;
    }
    pending_.clear();
}

void VcdWriter::advance(std::uint64_t timeNs) {
    if (timeNs <= nowNs_) {
        return;
    }
    if (!isOpen_ && timeNs > window_.fromNs) {
        // All values at the start of the window are known now.
        writeInitialValues(window_.fromNs);
    } else if (isOpen_ && nowNs_ <= window_.toNs) {
        flush();
    }
    nowNs_ = timeNs;
}

void VcdWriter::set(std::size_t index, Value value) {
    Signal& signal = signals_[index];
    signal.value = value;
    if (isOpen_ && !signal.isPending) {
        signal.isPending = true;
        pending_.push_back(index);
    }
}

void VcdWriter::end(std::uint64_t timeNs) {
    advance(std::max(timeNs, nowNs_ + 1));
    if (isOpen_) {
        out_ << '#' << std::min(nowNs_, std::max(window_.toNs, window_.fromNs)) << '\n';
    }
    out_.flush();
}

}  // namespace vnpu::sim
