// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/validate/rung.h"

namespace vnpu::test {
namespace {

using vnpu::sim::Measurement;

TEST_SUITE_BEGIN("validation rows");

TEST_CASE("a model with checkpoints and the same one without are measured apart [E-3]") {
    const std::string config = "base = \"u55-128\"\n";
    const vnpu::sim::ZooModel model{"ds_cnn", 1};
    vnpu::sim::RowList list;
    list.rows.push_back({"ds_cnn",
                         {{.config = config, .model = model},
                          {.config = config, .model = model, .hasCheckpoints = false},
                          {.config = config, .model = model}},
                         {}});
    std::vector<Measurement> runs;
    list.rows.front().evaluate = [&](const std::vector<Measurement>& measured,
                                     vnpu::sim::RungResult&) { runs = measured; };
    vnpu::sim::ProcessPool pool(VNPU_PROGRAM, 2);
    std::size_t requests = 0;
    const vnpu::sim::RungContext context{
            .pool = pool, .references = {}, .onProgress = [&](std::size_t, std::size_t count) {
                requests = count;
            }};
    vnpu::sim::runRows(list, context);
    // One process for the models with checkpoints, which are one measurement, and one without.
    CHECK(requests == 2);
    REQUIRE(runs.size() == 3);
    for (const Measurement& run : runs) {
        CHECK(run.error.empty());
        CHECK(run.macOperations == runs[0].macOperations);
    }
    CHECK(runs[0].macOperations > 0);
    CHECK(runs[2].jobCycles == runs[0].jobCycles);
    // The controller reads and passes the checkpoints.
    CHECK(runs[1].jobCycles != runs[0].jobCycles);
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::test
