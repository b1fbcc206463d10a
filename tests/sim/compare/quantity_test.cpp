// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/quantity.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"
#include "tests/support/program.h"

using vnpu::sim::Better;
using vnpu::sim::InputError;
using vnpu::sim::quantityOf;
using vnpu::sim::rankOf;
using vnpu::sim::Tolerance;
using vnpu::sim::Tolerances;

TEST_SUITE_BEGIN("sim/compare/quantity");

TEST_CASE("quantities have a direction; families begin alike; others have none") {
    CHECK(quantityOf("cycles").better == Better::kLower);
    CHECK(quantityOf("rate_hz").better == Better::kHigher);
    CHECK(quantityOf("sla_7").better == Better::kLower);
    CHECK(quantityOf("output_hash").better == Better::kSame);
    CHECK(quantityOf("dram.bytes_per_cycle").better == Better::kNeither);
}

TEST_CASE("a tolerance is a share, a number, both, or any") {
    Tolerances tolerances;
    tolerances.add("cycles=2%", "--tolerance");
    tolerances.add("missed=0.5", "--tolerance");
    tolerances.add("p99_ms = 1 % + 0.25", "--tolerance");
    tolerances.add("output_hash=any", "--tolerance");
    CHECK(tolerances.of("layer", "cycles").allowed(200.0) == doctest::Approx(4.0));
    CHECK(tolerances.of("run", "missed").allowed(200.0) == doctest::Approx(0.5));
    CHECK(tolerances.of("run", "output_hash").isAny);
    CHECK(tolerances.of("layer", "cycles").text() == "2 %");
}

TEST_CASE("blanks around a name belong to it no more than around a value") {
    Tolerances tolerances;
    tolerances.add("p99_ms = 1 % + 0.25", "--tolerance");
    CHECK(tolerances.of("run", "p99_ms").allowed(100.0) == doctest::Approx(1.25));
}

TEST_CASE("the most specific tolerance counts") {
    Tolerances tolerances;
    tolerances.add("*=5%", "--tolerance");
    tolerances.add("cycles=2%", "--tolerance");
    tolerances.add("layer.cycles=1%", "--tolerance");
    CHECK(tolerances.of("layer", "cycles").relative == doctest::Approx(0.01));
    CHECK(tolerances.of("other", "cycles").relative == doctest::Approx(0.02));
    CHECK(tolerances.of("run", "stp").relative == doctest::Approx(0.05));
    CHECK(tolerances.placeOf("layer", "cycles") == "--tolerance");
    CHECK(Tolerances().placeOf("layer", "cycles") == "default");
}

TEST_CASE("malformed tolerances are input errors") {
    Tolerances tolerances;
    for (const char* text :
         {"", "cycles", "=1%", "cycles=", "cycles=x", "cycles=-1%", "cycles=nan", "cycles=1%5",
          "cycles=1%+", "cycles=1%+x", "cycles=1e999", "cycles=anything"}) {
        CHECK_THROWS_AS(tolerances.add(text, "--tolerance"), InputError);
    }
}

TEST_CASE("tolerances come from a TOML file") {
    const vnpu::test::CommandFolder folder;
    Tolerances tolerances;
    tolerances.addFile(
            folder.write("t.toml", "[tolerance]\ncycles = \"3%\"\n\"layer.cycles\" = \"4%\"\n"));
    CHECK(tolerances.of("layer", "cycles").relative == doctest::Approx(0.04));
    CHECK(tolerances.of("run", "cycles").relative == doctest::Approx(0.03));
    CHECK(tolerances.placeOf("layer", "cycles").ends_with("t.toml:3: tolerance"));
    for (const char* text : {"", "[tolerance]\ncycles = 3\n", "[tolerance]\ncycles = \"x\"\n",
                             "[tolerances]\n", "[tolerance\n"}) {
        CHECK_THROWS_AS(tolerances.addFile(folder.write("bad.toml", text)), InputError);
    }
    CHECK_THROWS_AS(tolerances.addFile(folder / "none.toml"), InputError);
}

TEST_CASE("verdicts have an order") {
    CHECK(*rankOf("failed") < *rankOf("skipped"));
    CHECK(*rankOf("skipped") < *rankOf("passed"));
    CHECK(*rankOf("FAIL") < *rankOf("by parts"));
    CHECK(*rankOf("by parts") < *rankOf("pass"));
    CHECK_FALSE(rankOf("-"));
}

TEST_SUITE_END();
