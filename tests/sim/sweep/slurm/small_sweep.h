// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tests/support/program.h"

namespace vnpu::test {

/// Four points of 20 ms of virtual time: `values` of an axis, each with two seeds.
inline std::string smallSweep(const std::string& values = "[100, 4000]",
                              const std::string& key = "client.keyword.rate_hz",
                              const std::string& duration = "20 ms") {
    return fmt::format(R"(
[sweep]
name = "small"
seeds = 2
columns = ["antt", "p99_ms.high"]

[[axis]]
key = "{}"
values = {}

[scenario]
name = "small"
duration = "{}"
config = "edge"
timing_only = true

[[client]]
name = "keyword"
uid = 10102
model = "zoo:ds_cnn"
priority = "high"
arrival = "poisson"
rate_hz = 200

[[client]]
name = "loop"
uid = 10103
model = "zoo:resnet8"
arrival = "closed_loop"
)",
                       key, values, duration);
}

/// Checks that the tables in two folders are the same bytes.
inline void checkSameTables(const CommandFolder& folder, const std::string& a,
                            const std::string& b) {
    for (const char* file : {"sweep.txt", "sweep.csv", "points.csv", "sweep.json"}) {
        const std::string text = folder.read(a + "/" + file);
        CHECK_MESSAGE(!text.empty(), file);
        CHECK_MESSAGE(text == folder.read(b + "/" + file), file);
    }
}

/// The number of answers in the store of a sweep's folder, isolated times included.
inline std::size_t storedCount(const std::string& out) {
    namespace fs = std::filesystem;
    std::size_t count = 0;
    std::error_code ignored;
    for (const auto& folder : fs::directory_iterator(out + "/points", ignored)) {
        for (const auto& file : fs::directory_iterator(folder.path(), ignored)) {
            count += file.path().extension() == ".json" ? 1 : 0;
        }
    }
    return count;
}

}  // namespace vnpu::test
