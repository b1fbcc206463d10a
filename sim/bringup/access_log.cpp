// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/access_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

std::string accessText(const char* verb, std::uint32_t offset, std::uint32_t value,
                       bool isAnswered) {
    const std::string fields = fieldsText(offset, value);
    return fmt::format("{} {} = {:#010x}{}{}", verb, registerName(offset), value,
                       fields.empty() ? "" : "  " + fields, isAnswered ? "" : "  (not answered)");
}

std::string dmaText(const char* verb, std::uint64_t address, std::size_t bytes, bool isAnswered) {
    return fmt::format("{} {:#x}, {} bytes{}", verb, address, bytes,
                       isAnswered ? "" : "  (bus error)");
}

}  // namespace

AccessLog::AccessLog(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) {
        throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
    }
}

void AccessLog::line(std::uint64_t time, const std::string& text) {
    fmt::print(file_.get(), "{:>18}  {}\n", timeText(time), text);
}

void AccessLog::registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                             bool isAnswered) {
    line(time, accessText("read ", offset, value, isAnswered));
}

void AccessLog::registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                                bool isAnswered) {
    line(time, accessText("write", offset, value, isAnswered));
}

void AccessLog::memoryRead(std::uint64_t time, std::uint64_t address,
                           std::span<const std::byte> data, bool isAnswered) {
    line(time, dmaText("  DMA read ", address, data.size(), isAnswered));
}

void AccessLog::memoryWritten(std::uint64_t time, std::uint64_t address,
                              std::span<const std::byte> data, bool isAnswered) {
    line(time, dmaText("  DMA write", address, data.size(), isAnswered));
}

void AccessLog::interruptLine(std::uint64_t time, bool isHigh) {
    line(time, isHigh ? "interrupt line high" : "interrupt line low");
}

void AccessLog::finish(std::uint64_t /*time*/) {
    if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
        throw std::runtime_error(fmt::format("{}: cannot be written", path_));
    }
}

}  // namespace vnpu::sim
