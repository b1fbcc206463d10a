// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/result_set.h"

namespace vnpu::sim {

ResultRow& ResultSet::row(const std::string& kindOfRow, const std::string& name) {
    const auto [place, isNew] = places_.try_emplace({kindOfRow, name}, rows.size());
    if (isNew) {
        rows.push_back({.kind = kindOfRow, .name = name});
    }
    return rows[place->second];
}

}  // namespace vnpu::sim
