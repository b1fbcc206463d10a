// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/program.h"

namespace vnpu::test {

/// The path of a browser; empty, with a message, where there is none.
std::string browser();

/// What the browser makes of a page when its scripts have ended: its elements in `output`, its
/// console in `errors`.
ProgramResult openedPage(const std::string& program, const std::string& page);

/// The same for the page at an address, after a few seconds of the page's time.
ProgramResult openedAddress(const std::string& program, const std::string& address);

/// Checks that the page was drawn and wrote nothing to the console.
void checkNoMessage(const ProgramResult& result);

/// Checks that the elements of the page hold this text of HTML.
void checkHolds(const ProgramResult& result, const std::string& part);

}  // namespace vnpu::test
