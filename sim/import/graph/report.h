// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

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

/// One line: all operators that are not supported, with their number and reason.
std::string summarize(const Report& report);

}  // namespace vnpu::sim::graph
