// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vnpu::sim {

/// What a number of results is about.
struct FigureName {
    std::string kind;      // "run", "client", "priority", "app", "engine"
    std::string name;      // of the client ...; empty for a run
    std::string quantity;  // "p99_ms"

    auto operator<=>(const FigureName&) const = default;
};

/// Splits a name of metrics/figures.h: "p99_ms[camera]" is of a client, "p99_ms.high" of a
/// priority, "device_share@10101" of an app, "antt" of the run.
FigureName figureNameOf(std::string_view figure);

/// The unit that a quantity's name contains, such as "ms" of "p99_ms" and of "latency_ms.mean".
/// Empty for counts and ratios.
std::string_view unitOf(std::string_view quantity);

}  // namespace vnpu::sim
