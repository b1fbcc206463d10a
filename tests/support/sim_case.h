// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace vnpu::test {

/// Runs the body of the present test case in a process of its own, because SystemC elaborates once
/// per process:
///
///     TEST_CASE("raises the line [E-1]") { simCase([] { ...build modules, sc_start(),
///     CHECK(...)... }); }
///
/// The binary starts itself again for this one case; there the body runs and any SystemC warning or
/// error fails it. A child that ends otherwise than with success fails the case with the child's
/// output. One simCase per test case; no SUBCASE around it.
void simCase(const std::function<void()>& body);

}  // namespace vnpu::test
