// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::sim {

/// The version of the project, as in CMakeLists.txt.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace vnpu::sim
