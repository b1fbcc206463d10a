// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::sim {

/// The uid of the first client; further clients take the ones after it.
inline constexpr std::uint32_t kFirstAppUid = 10000;  // source: Android, AID_APP_START

}  // namespace vnpu::sim
