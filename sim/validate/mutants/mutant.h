// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Rows of a rung, by the beginning of their subject.
struct RowName {
    std::string_view rung;
    std::string_view subject;
};

/// A wrong model, or a wrong reference, that the validation must refuse. The device is built from a
/// changed configuration, which the driver and its compiler see as well; the closed forms of the
/// rungs do not.
struct Mutant {
    std::string_view name;
    std::string_view description;
    void (*change)(hw::NpuConfig& config) = nullptr;
    std::string_view falsifiedNetwork{};  // whose published figures are multiplied
    double referenceFactor = 1.0;
    RowName rows{};  // that are enough to catch it
};

std::span<const Mutant> mutants();

/// Null if there is none of that name.
const Mutant* findMutant(std::string_view name);

}  // namespace vnpu::sim
