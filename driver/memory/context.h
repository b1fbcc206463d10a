// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "driver/control/environment.h"
#include "driver/control/host_lock.h"
#include "driver/control/job_ring.h"
#include "driver/memory/address_space.h"
#include "driver/memory/pool_cache.h"
#include "driver/memory/user_share.h"
#include "driver/result.h"

namespace vnpu::driver {

/// One caller's share of the device: an MMU context and, for each priority in use, a job ring.
/// Lives as long as any object of that caller. Any thread but the interrupt thread; the destructor
/// waits for the firmware, so no mutex may be held.
class Context : public std::enable_shared_from_this<Context> {
  public:
    struct Options {
        const Environment& environment;
        std::uint32_t uid = 0;
        std::uint32_t index = 0;
        std::function<void()> onEnd;  // after the firmware has removed the context
    };

    static Result<std::shared_ptr<Context>> create(Options options);
    ~Context();

    std::uint32_t uid() const { return options_.uid; }
    std::uint32_t index() const { return options_.index; }
    const Environment& environment() const { return options_.environment; }
    AddressSpace& addressSpace() const { return *space_; }
    PoolCache& pools() { return pools_; }
    UserShare& share() { return share_; }
    PoolTarget poolTarget() const { return {options_.environment, *space_}; }

    /// The ring of a HAL priority in its band, created for its first user and removed with its
    /// last. It keeps the context alive.
    Result<std::shared_ptr<JobRing>> ring(std::uint32_t halPriority, fw::PriorityBand band);

  private:
    Context(Options options, std::unique_ptr<AddressSpace> space);
    Result<std::shared_ptr<JobRing>> createRing(fw::PriorityBand band);
    void destroyRing(const JobRing& ring);

    const Options options_;
    const CountedLife life_;
    const std::unique_ptr<AddressSpace> space_;
    PoolCache pools_;
    UserShare share_;
    HostLock ringTurn_;                            // guards rings_; held while the firmware answers
    std::array<std::weak_ptr<JobRing>, 3> rings_;  // by HAL priority
};

}  // namespace vnpu::driver
