// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace vnpu::test {

/// Runs the body of the current test case in a separate process, because SystemC elaborates once
/// per process:
///
///     TEST_CASE("raises the line [E-1]") {
///         simCase([] { ...build modules, sc_start(), CHECK(...)... });
///     }
///
/// The binary starts itself again for this one case. The body runs there, and any SystemC warning
/// or error fails it. If the child fails, the case fails with the child's output. Use one simCase
/// per test case and no SUBCASE around it.
void simCase(const std::function<void()>& body);

/// Turns LeakSanitizer's check at the end of this process off, for a body that throws an exception
/// through a SystemC process: the sanitizer does not know the stack of such a process, and crashes.
void skipLeakCheck();

}  // namespace vnpu::test
