// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

const std::vector<std::string>& priorityWords() {
    static const std::vector<std::string> words = {"low", "medium", "high"};
    return words;
}

const std::vector<std::string>& arrivalWords() {
    static const std::vector<std::string> words = {"periodic", "closed_loop", "poisson", "uniform",
                                                   "trace"};
    return words;
}

const std::vector<std::string>& pathWords() {
    static const std::vector<std::string> words = {"sync", "async", "burst", "fenced"};
    return words;
}

const std::vector<std::string>& preferenceWords() {
    static const std::vector<std::string> words = {"low_power", "fast", "sustained"};
    return words;
}

std::string_view preferenceName(ClientPreference preference) {
    return preferenceWords()[static_cast<std::size_t>(preference)];
}

std::string_view priorityName(ClientPriority priority) {
    return priorityWords()[static_cast<std::size_t>(priority)];
}

std::string_view arrivalName(ArrivalKind arrival) {
    return arrivalWords()[static_cast<std::size_t>(arrival)];
}

std::string_view pathName(ClientPath path) {
    return pathWords()[static_cast<std::size_t>(path)];
}

bool isBounded(const ClientSpec& client) {
    return client.count != 0 || client.arrival == ArrivalKind::kTrace;
}

}  // namespace vnpu::sim
