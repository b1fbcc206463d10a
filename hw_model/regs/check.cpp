// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/check.h"

#include <cstdio>
#include <cstdlib>

namespace vnpu {

void checkFailed(const char* condition, const char* why, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", file, line, why, condition);
    std::abort();
}

}  // namespace vnpu
