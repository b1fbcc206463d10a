// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace vnpu::sim {

/// One swept quantity compared with its closed form.
struct Curve {
    struct Point {
        double x = 0.0;
        double model = 0.0;
        double closedForm = 0.0;
    };
    std::string title{};   // "3 x 3 convolution on u65-256"
    std::string xLabel{};  // "DRAM bytes/cycle"
    std::string yLabel{};  // "cycles"
    std::vector<Point> points{};
    double knee = 0.0;          // x where the closed form changes its slope
    double measuredKnee = 0.0;  // where the model's two branches meet
};

}  // namespace vnpu::sim
