// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/refusal_ledger.h"

#include <doctest/doctest.h>

namespace vnpu::driver {

using namespace std::chrono_literals;

TEST_SUITE_BEGIN("driver/qos/refusal_ledger");

TEST_CASE("a refused execution is judged by the start that it would have had [Q-5]") {
    const int a = 0;
    const int b = 0;
    RefusalLedger ledger;
    ledger.add(&a, 150us, {}, 100us);
    ledger.add(&a, 250us, {7, 8}, 100us);
    ledger.add(&b, 900us, {}, 100us);
    CHECK(ledger.judge(&a, 51us) ==
          0);  // the first one would have ended at 151; the second is still waiting
    ledger.onEnd(8, 160us);
    ledger.onEnd(7, 200us);
    CHECK(ledger.judge(&a, 50us) == 1);  // 200 + 50
    CHECK(ledger.judge(&a, 50us) == 0);  // each is judged once
    CHECK(ledger.judge(&b, 50us) == 1);
}

TEST_CASE("the oldest refusals give way") {
    const int a = 0;
    RefusalLedger ledger;
    for (std::size_t i = 0; i < RefusalLedger::kMaxEntries + 5; ++i) {
        ledger.add(&a, 200us, {}, 100us);
    }
    CHECK(ledger.judge(&a, 1us) == RefusalLedger::kMaxEntries);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
