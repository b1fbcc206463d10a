// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <mutex>
#include <string>

#include "sim/tflite_delegate/node_choice.h"

namespace vnpu::sim::tflite_delegate {

/// What a delegate prints. Any thread.
class DelegateLog {
  public:
    /// Empties the report's file. Throws InputError where it cannot be written.
    DelegateLog(LogLevel level, std::string reportFile);

    /// A failure, which the interpreter hears, too.
    void error(abi::TfLiteContext& context, const std::string& text);
    /// What is delegated of a graph and why the rest is not.
    void report(const Choice& choice);

  private:
    const LogLevel level_;
    const std::string reportFile_;
    std::mutex mutex_;  // guards the report's file
};

/// One line for the graph, and one for each node that stays with the interpreter.
std::string reportText(const Choice& choice);

/// Runs what an interpreter called: exceptions become a report and kTfLiteError.
template <typename Function>
abi::TfLiteStatus guarded(abi::TfLiteContext& context, DelegateLog& log, const Function& function) {
    try {
        function();
        return abi::kTfLiteOk;
    } catch (const std::exception& error) {
        log.error(context, error.what());
    } catch (...) {
        log.error(context, "an exception of unknown type");
    }
    return abi::kTfLiteError;
}

}  // namespace vnpu::sim::tflite_delegate
