// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "firmware/api/mailbox.h"

namespace vnpu::driver {

/// The messages that the firmware needs again after a reset: contexts, rings, scheduling, a power
/// hold, in the order of their creation. One thread at a time.
class SetupJournal {
  public:
    /// Notes a request that the firmware has carried out.
    void note(const fw::Message& request);

    const std::vector<fw::Message>& messages() const { return messages_; }

  private:
    std::vector<fw::Message> messages_;
};

}  // namespace vnpu::driver
