// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/context.h"

#include <fmt/format.h>

#include <utility>

#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"

namespace vnpu::driver {

namespace {

fw::Message contextMessage(fw::MessageType type, std::uint32_t context) {
    fw::Message message{};
    message.type = type;
    message.target.context = context;
    return message;
}

}  // namespace

Result<std::shared_ptr<Context>> Context::create(Options options) {
    VNPU_TRY_ASSIGN(auto space, AddressSpace::create(options.environment, options.index));
    fw::Message message = contextMessage(fw::MessageType::kCreateContext, options.index);
    message.target.address = space->rootBusAddress();
    VNPU_TRY(options.environment.mailbox.request(message));
    return std::shared_ptr<Context>(new Context(std::move(options), std::move(space)));
}

Context::Context(Options options, std::unique_ptr<AddressSpace> space)
    : options_(std::move(options)),
      life_(options_.environment.counters.liveContexts),
      space_(std::move(space)),
      share_(options_.uid, options_.environment.options.userLimits),
      ringTurn_(options_.environment.port) {}

Context::~Context() {
    // Rings keep the context alive, so none is left. Once the firmware has removed the context,
    // unmapping needs no TLB invalidation. A firmware that does not answer is reset instead.
    static_cast<void>(options_.environment.mailbox.request(
            contextMessage(fw::MessageType::kDestroyContext, options_.index)));
    space_->retire();
    pools_.clear();
    if (options_.onEnd) {
        options_.onEnd();
    }
}

Result<std::shared_ptr<JobRing>> Context::ring(std::uint32_t halPriority, fw::PriorityBand band) {
    const HostLockGuard turn(ringTurn_);
    std::weak_ptr<JobRing>& known = rings_.at(halPriority);
    if (auto ring = known.lock()) {
        return ring;
    }
    auto ring = createRing(band);
    if (ring) {
        known = *ring;
    }
    return ring;
}

Result<std::shared_ptr<JobRing>> Context::createRing(fw::PriorityBand band) {
    const auto index = options_.environment.rings.indexes().take();
    if (!index) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("all job rings are taken; uid {} needs one for priority band {}",
                                options_.uid, static_cast<std::uint32_t>(band)));
    }
    auto ring = JobRing::create(options_.environment.port, options_.environment.counters, *index);
    if (!ring) {
        options_.environment.rings.indexes().giveBack(*index);
        return tl::unexpected(std::move(ring.error()));
    }
    fw::Message message = contextMessage(fw::MessageType::kCreateRing, options_.index);
    message.value = static_cast<std::uint32_t>(band);
    message.target.ring = *index;
    message.target.address = (*ring)->busAddress();
    if (auto reply = options_.environment.mailbox.request(message); !reply) {
        options_.environment.rings.indexes().giveBack(*index);
        return tl::unexpected(std::move(reply.error()));
    }
    options_.environment.rings.attach(**ring);
    // The deleter gives up the context itself: it lives on with the last weak reference to the
    // ring, which the context holds.
    return std::shared_ptr<JobRing>(ring->release(),
                                    [context = shared_from_this()](JobRing* last) mutable {
                                        const std::shared_ptr<Context> keeper = std::move(context);
                                        const std::unique_ptr<JobRing> owner(last);
                                        keeper->destroyRing(*owner);
                                    });
}

void Context::destroyRing(const JobRing& ring) {
    fw::Message message = contextMessage(fw::MessageType::kDestroyRing, options_.index);
    message.target.ring = ring.index();
    static_cast<void>(options_.environment.mailbox.request(message));
    options_.environment.rings.detach(ring);
    options_.environment.rings.indexes().giveBack(ring.index());
}

}  // namespace vnpu::driver
