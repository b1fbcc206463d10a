// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "driver/api/driver_counters.h"
#include "driver/control/host_lock.h"
#include "driver/control/job_ring.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/memory/address_space.h"
#include "driver/memory/pool_cache.h"
#include "driver/memory/user_share.h"
#include "driver/result.h"

namespace vnpu::driver {

/// One caller's share of the device: an MMU context and, for each priority in use, a job ring.
/// Lives as long as anything of that caller does. Any thread but the interrupt thread; the end
/// waits for the firmware, so no mutex may be held.
class Context : public std::enable_shared_from_this<Context> {
  public:
    struct Options {
        DevicePort& port;
        LiveCounters& counters;
        MailboxClient& mailbox;
        RingRegistry& rings;
        MemoryBudget budget{0};
        UserLimits userLimits{};
        std::uint32_t uid = 0;
        std::uint32_t index = 0;
        std::function<void()> onEnd;  // once the firmware has forgotten the context
    };

    static Result<std::shared_ptr<Context>> create(Options options);
    ~Context();

    std::uint32_t uid() const { return options_.uid; }
    std::uint32_t index() const { return options_.index; }
    DevicePort& port() const { return options_.port; }
    LiveCounters& counters() const { return options_.counters; }
    AddressSpace& addressSpace() const { return *space_; }
    PoolCache& pools() { return pools_; }
    UserShare& share() { return share_; }
    PoolTarget poolTarget() const { return {options_.port, options_.counters, *space_}; }

    /// The ring of a HAL priority, made in its band when first asked for and gone when the last
    /// user is. It keeps the context alive.
    Result<std::shared_ptr<JobRing>> ring(std::uint32_t halPriority, fw::PriorityBand band);

  private:
    /// What a shared_ptr<JobRing> given out owns.
    struct RingUse {
        std::shared_ptr<Context> context;
        std::unique_ptr<JobRing> ring;  // null: moved from

        RingUse(std::shared_ptr<Context> owner, std::unique_ptr<JobRing> used)
            : context(std::move(owner)), ring(std::move(used)) {}
        RingUse(RingUse&&) noexcept = default;
        ~RingUse();
    };

    Context(Options options, std::unique_ptr<AddressSpace> space);
    Result<std::shared_ptr<JobRing>> createRing(fw::PriorityBand band);

    const Options options_;
    const CountedLife life_;
    const std::unique_ptr<AddressSpace> space_;
    PoolCache pools_;
    UserShare share_;
    HostLock ringTurn_;                            // guards rings_; held while the firmware answers
    std::array<std::weak_ptr<JobRing>, 3> rings_;  // by HAL priority
};

}  // namespace vnpu::driver
