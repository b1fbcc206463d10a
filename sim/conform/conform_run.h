// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/conform/conformance.h"

namespace vnpu::sim {

/// One example's outcome that is worth telling.
struct ConformNote {
    std::string file, example, detail;
};

/// What came of the examples in one flavour.
struct ConformTally {
    Flavour flavour;
    std::size_t passed = 0;
    std::size_t omitted = 0;
    std::vector<ConformNote> failed{}, unsupported{};
    std::map<std::string, std::size_t> unsupportedOperations{};  // with the number of examples
    std::uint64_t interruptions = 0;
    std::vector<ConformNote> undisturbed{};  // that were to be interrupted and never were
};

/// Of one flavour or of several together.
struct ConformSum {
    std::size_t passed = 0, failed = 0, unsupported = 0, omitted = 0;

    /// "1 passed, 0 failed, 0 unsupported"
    std::string line() const;
};

ConformSum sumOf(const std::vector<ConformTally>& tallies);

struct ConformOrder {
    std::string folder;             // or one file
    std::string filter;             // of names; empty: all
    std::string config;             // of the device
    std::vector<Flavour> flavours;  // without contradictions
    std::string socket{};           // of a service to use; empty: a device in this process
    /// Told before each file: its number from 0, of how many, its name, and what is done.
    std::function<void(std::size_t, std::size_t, const std::string&, const ConformSum&)> onFile{};
};

/// All examples of all files, each in all flavours, on one device one after the other. Once per
/// process, unless a service has the device. InputError for what the user got wrong.
std::vector<ConformTally> runConformance(const ConformOrder& order);

}  // namespace vnpu::sim
