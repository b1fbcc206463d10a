// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/client/call_types.h"

namespace vnpu::sim::tflite_delegate {

/// What is printed on stderr: nothing, failures, or also what is delegated and why the rest is not.
enum class LogLevel { kNone, kError, kInfo };

/// The options of a delegate.
struct Options {
    std::string config = "edge";  // a device in this process
    std::string pace = "max";     // of that device
    std::string socket = {};      // of a service, in place of a device in this process
    std::string service = {};     // the device's name there; empty: the first
    nn::Priority priority = nn::Priority::MEDIUM;
    nn11::ExecutionPreference preference = nn11::ExecutionPreference::FAST_SINGLE_ANSWER;
    std::optional<std::chrono::milliseconds> timeout = {};  // of an execution, in device time
    std::string cacheFolder = {};                           // empty: no compilation cache
    std::string cacheToken = {};
    bool mayUseHalf = false;    // float32 may be computed with the precision of float16
    bool takesDynamic = false;  // graphs whose shapes are known only when they run
    LogLevel log = LogLevel::kError;
    std::string reportFile = {};  // of what is not delegated; "-": stderr
};

/// One key and its value.
using KeyValue = std::pair<std::string, std::string>;

/// Throws InputError for an unknown key or a wrong value, with what was expected.
Options parseOptions(const std::vector<KeyValue>& given);

/// The keys, alphabetical.
std::vector<std::string> optionKeys();

}  // namespace vnpu::sim::tflite_delegate
