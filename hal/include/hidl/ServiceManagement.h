// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace android::hardware {

/// Sorted instance names of the services that implement the interface.
std::vector<std::string> getAllHalInstanceNames(const std::string& descriptor);

}  // namespace android::hardware
