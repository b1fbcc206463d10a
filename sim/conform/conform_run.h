// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/ci/case_session.h"
#include "sim/conform/conformance.h"

namespace vnpu::sim {

/// An outcome of one example, for the report.
struct ConformNote {
    std::string file, example, detail;
};

/// The outcomes of all examples in one flavor.
struct ConformTally {
    Flavor flavor;
    std::size_t passed = 0;
    std::size_t omitted = 0;
    std::vector<ConformNote> failed{}, unsupported{};
    std::map<std::string, std::size_t> unsupportedOperations{};  // with the number of examples
    std::uint64_t interruptions = 0;
    std::vector<ConformNote>
            undisturbed{};  // examples that should have been interrupted but were not
};

/// The sums of one flavor or of several.
struct ConformSum {
    std::size_t passed = 0, failed = 0, unsupported = 0, omitted = 0;

    /// "1 passed, 0 failed, 0 unsupported"
    std::string line() const;
};

ConformSum sumOf(const std::vector<ConformTally>& tallies);

/// A library with NNAPI's C interface, and a device of it; an empty name stands for the first one.
struct NdkTarget {
    std::string library, device;
};

struct ConformOrder {
    std::string folder;              // or one file
    CaseSession& cases;              // which examples are run, and their outcomes
    std::string config;              // of the device
    std::vector<Flavor> flavors;     // without contradictions
    std::string socket{};            // of a service to use; empty: a device in this process
    std::optional<NdkTarget> ndk{};  // for flavors of the C interface, and only those
    /// Called before each file with its number from 0, the number of files, its name, and the sums
    /// so far.
    std::function<void(std::size_t, std::size_t, const std::string&, const ConformSum&)> onFile{};
};

/// Runs the selected examples of all files in all flavors, one after the other on one device. A
/// case is an example in a flavor, which is its suite. Once per process, unless a service has the
/// device. A library of the C interface learns configuration and socket from VNPU_CONFIG and
/// VNPU_SOCKET, which are set in this process. Throws InputError for mistakes of the user.
std::vector<ConformTally> runConformance(const ConformOrder& order);

}  // namespace vnpu::sim
