// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/validate/rung.h"

namespace vnpu::sim {

/// The data of a validation's page: every check with its verdict and the parts of its gap, and the
/// curves. report/page/README.md lists the keys.
nlohmann::ordered_json validationPageData(const RungResult& result);

/// report.html: the page of a validation.
std::string validationPage(const RungResult& result);

}  // namespace vnpu::sim
