// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::sim {

/// The version of the project: "0.1.0".
extern const char* const kVersion;

}  // namespace vnpu::sim
