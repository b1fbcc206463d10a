// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/delegate_log.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "sim/base/error.h"

namespace vnpu::sim::tflite_delegate {

namespace {

constexpr std::string_view kStderr = "-";

}  // namespace

DelegateLog::DelegateLog(LogLevel level, std::string reportFile)
    : level_(level), reportFile_(std::move(reportFile)) {
    if (!reportFile_.empty() && reportFile_ != kStderr && !std::ofstream(reportFile_)) {
        throw InputError(fmt::format("report: {} cannot be written", reportFile_));
    }
}

void DelegateLog::error(abi::TfLiteContext& context, const std::string& text) {
    if (level_ != LogLevel::kNone) {
        fmt::print(stderr, "vnpu: {}\n", text);
    }
    if (context.ReportError != nullptr) {
        context.ReportError(&context, "vnpu: %s", text.c_str());
    }
}

void DelegateLog::report(const Choice& choice) {
    const std::string text = reportText(choice);
    if (level_ == LogLevel::kInfo || reportFile_ == kStderr) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            fmt::print(stderr, "vnpu: {}\n", line);
        }
    }
    if (!reportFile_.empty() && reportFile_ != kStderr) {
        const std::lock_guard guard(mutex_);
        std::ofstream(reportFile_, std::ios::app) << text;
    }
}

std::string reportText(const Choice& choice) {
    std::string text = fmt::format("{} of {} nodes are delegated, as {} kernel{}\n",
                                   choice.chosen.size(), choice.nodes.size(), choice.subsets.size(),
                                   choice.subsets.size() == 1 ? "" : "s");
    for (const NodeVerdict& node : choice.nodes) {
        if (!node.reason.empty()) {
            text += fmt::format("node {} {} stays with the interpreter: {}\n", node.index,
                                node.name, node.reason);
        }
    }
    return text;
}

}  // namespace vnpu::sim::tflite_delegate
