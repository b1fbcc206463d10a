// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/dram_share.h"

#include <algorithm>
#include <cmath>

namespace vnpu::driver {

double DramShare::take(std::size_t user, double start, double bytes, double pauses) {
    const double own = bytes / bytesPerCycle_;
    const double chunk = kChunkBytes / bytesPerCycle_;
    User& self = users_[user];
    start = std::max(start, self.end);
    double turns = 0;
    for (User& other : users_) {
        if (&other != &self && other.end > start) {
            turns += std::ceil(bytes / kChunkBytes) * other.turn;
            // The chunk in progress ends as it would alone.
            const double waiting = (std::ceil((other.end - start) / chunk) - 1) * chunk;
            other.end += std::min(own, waiting);
        }
    }
    const double backlog = std::max(free_ - start, 0.0);
    free_ = std::max(free_, start) + own;
    const double wait = std::min(backlog, turns);
    self = {.end = start + own + wait + pauses, .turn = std::min(own, chunk)};
    return self.end;
}

}  // namespace vnpu::driver
