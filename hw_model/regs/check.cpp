// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/check.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace vnpu {

namespace {

bool throwsFailedChecks = false;

}  // namespace

void checkFailed(const char* condition, const char* why, const char* file, int line) {
    if (throwsFailedChecks) {
        throw std::logic_error(std::string(file) + ":" + std::to_string(line) +
                               ": broken invariant: " + why + " (" + condition + ")");
    }
    std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", file, line, why, condition);
    std::abort();
}

void throwFailedChecks() {
    throwsFailedChecks = true;
}

}  // namespace vnpu
