// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/mutants/mutant.h"
#include "hw_model/timing/config_fields.h"

#include <doctest/doctest.h>

#include <set>

#include "sim/config/load_config.h"
#include "sim/validate/rung.h"

namespace {

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/validate/mutants");

TEST_CASE("every mutant has a name of its own, and changes a device or a reference [E-3]") {
    std::set<std::string_view> names;
    for (const Mutant& mutant : mutants()) {
        CAPTURE(mutant.name);
        CHECK(names.insert(mutant.name).second);
        CHECK(findMutant(mutant.name) == &mutant);
        CHECK((mutant.change != nullptr) != (mutant.referenceFactor != 1.0));
        CHECK_FALSE(mutant.rows.rung.empty());
    }
    CHECK(findMutant("none") == nullptr);
    CHECK(mutants().size() >= 19);
}

TEST_CASE("a changed device remains a valid one [E-3]") {
    for (const Mutant& mutant : mutants()) {
        for (const char* name : {"u55-128", "u65-512", "nvdla-32", "nvdla-2048", "ws16"}) {
            if (mutant.change != nullptr) {
                vnpu::hw::NpuConfig config = loadConfig(name);
                mutant.change(config);
                CAPTURE(mutant.name);
                CHECK(vnpu::hw::findConfigError(config) == "");
            }
        }
    }
}

TEST_CASE("a falsified network has other figures, the others keep theirs [E-3]") {
    const References references{{}, findMutant("googlenet-20x")};
    CHECK(references.figure("googlenet", 2.0) == 40.0);
    CHECK(references.figure("alexnet", 2.0) == 2.0);
    CHECK(References{}.figure("googlenet", 2.0) == 2.0);
}

TEST_SUITE_END();

}  // namespace
