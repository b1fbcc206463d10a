// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/validate/check.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

/// A picture of all checks: a row per check with model over reference on a logarithmic axis, its
/// tolerance and its name.
std::string checksSvg(const std::vector<Check>& checks);

/// A picture of one sweep on logarithmic axes: the model's points, the closed form's line, the
/// knee.
std::string curveSvg(const Curve& curve);

}  // namespace vnpu::sim
