// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim::graph {

/// How an operator of a file format is imported, in the tables of operators.
enum class Status {
    kImported,  // one NNAPI operation
    kComposed,  // several
    kFolded,    // only during import, from constants and shapes
    kRefused
};

/// "imported", "composed", "folded" or "refused".
const char* nameOf(Status status);

/// An operator of a file that cannot be expressed, or is not examined because a shape before it is
/// unknown.
struct UnsupportedOperator {
    std::uint32_t index = 0;  // in its graph
    std::string name;         // "CONV_3D"
    std::string reason;
    std::uint64_t macsWithout = 0;  // of the operators that do not need its result
};

/// What an import found.
struct Report {
    std::uint64_t operators = 0;     // that the outputs need
    std::uint64_t macs = 0;          // of all operators that could be expressed
    std::uint64_t runnableMacs = 0;  // of those that need no unsupported one
    std::vector<UnsupportedOperator> unsupported;
    std::set<std::string> notes;  // arithmetic that differs from the file's, one sentence each

    bool isComplete() const { return unsupported.empty(); }
};

/// Unsupported operators of one name that are refused for one reason.
struct UnsupportedKind {
    std::string name, reason;
    std::vector<std::uint32_t> places;  // their numbers
    std::uint64_t macsWithout = 0;      // minimum over all
};

/// In the order of their first operators.
std::vector<UnsupportedKind> kindsOf(const Report& report);

/// One line: all operators that are not supported, with their number and reason.
std::string summarize(const Report& report);

/// The NNAPI model of a file, and what the import found.
struct ImportResult {
    /// Nothing if an operator is not supported, or if nothing is left to compute.
    std::optional<Network> network;
    Report report;
};

/// Throws InputError if there is none: all operators that are not supported, or that the model has
/// no input.
Network networkOf(const std::string& path, ImportResult result);

}  // namespace vnpu::sim::graph
