// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/live_port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/start_thread.h"

namespace vnpu::sim {

using std::chrono::nanoseconds;

namespace {

constexpr nanoseconds kForEver = nanoseconds::max();

/// How long the line may stay high after a handler has cleared its cause. chosen: twice the pulse
/// of a spurious interrupt, which is longer than the line takes to follow its registers
constexpr std::uint64_t kSettleCycles = 32;

nanoseconds settleTimeOf(const hw::NpuConfig& config) {
    constexpr std::uint64_t kNsPerMs = 1'000'000;
    return nanoseconds(kSettleCycles * kNsPerMs / config.clockKhz + 1);
}

}  // namespace

/// Registers a waiting thread and the end of its wait with the simulation for a scope.
class LivePort::Waiter {
  public:
    Waiter(LivePort& port, nanoseconds end, Event& event) : port_(port), event_(event) {
        const std::lock_guard guard(port_.mutex_);
        timer_ = end == kForEver ? port_.timers_.end() : port_.timers_.emplace(end, this);
        ++port_.waiters_;
        port_.wanted_.notify_one();
    }
    ~Waiter() {
        const std::lock_guard guard(port_.mutex_);
        if (timer_ != port_.timers_.end()) {
            port_.timers_.erase(timer_);
        }
        --port_.waiters_;
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    /// Removes the waiter from the timers when its deadline has come. The port's lock is held.
    void expire();

  private:
    LivePort& port_;
    Event& event_;
    Timers::iterator timer_;
};

/// An event for ordinary threads, in device time.
class LivePort::Event : public driver::HostEvent {
  public:
    explicit Event(LivePort& port) : port_(port) {}

    // Notifies under the lock, because the woken thread may destroy the event.
    void set() override {
        const std::lock_guard guard(mutex_);
        isSet_ = true;
        changed_.notify_all();
    }
    void reset() override {
        const std::lock_guard guard(mutex_);
        isSet_ = false;
    }
    void wait() override { waitUntil(kForEver); }
    bool waitFor(nanoseconds timeout) override {
        const nanoseconds now = port_.now();
        return waitUntil(timeout < kForEver - now ? now + timeout : kForEver);
    }

    void wake() {
        const std::lock_guard guard(mutex_);
        changed_.notify_all();
    }

  private:
    bool waitUntil(nanoseconds end) {
        {
            const std::lock_guard guard(mutex_);
            if (isSet_) {
                return true;
            }
        }
        const Waiter waiter(port_, end, *this);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return isSet_ || port_.now() >= end; });
        return isSet_;
    }

    LivePort& port_;
    std::mutex mutex_;  // guards isSet_; after the port's
    std::condition_variable changed_;
    bool isSet_ = false;
};

void LivePort::Waiter::expire() {
    port_.timers_.erase(timer_);
    timer_ = port_.timers_.end();
    event_.wake();
}

LivePort::LivePort(const sc_core::sc_module_name& name, const hw::NpuConfig& config, Pace pace)
    : HostBus(name, config), settleTime_(settleTimeOf(config)), pace_(pace) {
    sc_core::sc_spawn_options onRequests;
    onRequests.spawn_method();
    onRequests.set_sensitivity(&requestsArrived_);
    onRequests.dont_initialize();
    sc_core::sc_spawn([this] { serveRequests(); }, "requests", &onRequests);
    sc_core::sc_spawn_options onLine;
    onLine.spawn_method();
    onLine.set_sensitivity(&irq);
    onLine.dont_initialize();
    sc_core::sc_spawn([this] { followLine(); }, "line", &onLine);
    interruptThread_ = startThread("interrupts", [this] { serveInterrupts(); });
}

LivePort::~LivePort() {
    stop();
    interruptThread_.join();
}

void LivePort::stop() {
    workers_.drain();
    const std::lock_guard guard(mutex_);
    isEnding_ = true;
    wanted_.notify_one();
    lineMoved_.notify_all();
}

void LivePort::freeze() {
    std::unique_lock lock(mutex_);
    isFrozen_ = true;
    wanted_.notify_one();
    answered_.wait(lock, [this] { return !isMoving_; });
}

void LivePort::enqueue(Request request) {
    const std::lock_guard guard(mutex_);
    requests_.push_back(std::move(request));
    wanted_.notify_one();
}

void LivePort::call(const Request& request) {
    bool isServed = false;
    enqueue([&] {
        request();
        const std::lock_guard guard(mutex_);
        isServed = true;
        answered_.notify_all();
    });
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] { return isServed; });
}

std::uint32_t LivePort::read32(std::uint32_t offset) {
    std::uint32_t value = 0;
    call([&] { access(tlm::TLM_READ_COMMAND, offset, value); });
    return value;
}

void LivePort::write32(std::uint32_t offset, std::uint32_t value) {
    enqueue([this, offset, value]() mutable { access(tlm::TLM_WRITE_COMMAND, offset, value); });
}

std::byte* LivePort::mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    std::byte* window = nullptr;
    call([&] { window = HostBus::mapWindow(busAddress, sizeBytes); });
    return window;
}

void LivePort::unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    call([&] { HostBus::unmapDma(busAddress, sizeBytes); });
}

void LivePort::setInterruptHandler(std::function<void()> handler) {
    std::unique_lock lock(mutex_);
    handler_ = std::move(handler);
    lineMoved_.notify_all();
    wanted_.notify_one();
    if (std::this_thread::get_id() != interruptThread_.get_id()) {
        lineMoved_.wait(lock, [this] { return !isHandlerRunning_; });
    }
}

std::unique_ptr<driver::HostEvent> LivePort::createEvent() {
    return std::make_unique<Event>(*this);
}

driver::Result<void> LivePort::post(std::function<void()> work) {
    return workers_.post(std::move(work));
}

nanoseconds LivePort::now() {
    return nanoseconds(nowNs_.load(std::memory_order_acquire));
}

void LivePort::chargeHost(driver::HostWork /*work*/) {}

void LivePort::serveInterrupts() {
    std::unique_lock lock(mutex_);
    while (true) {
        lineMoved_.wait(lock, [this] { return isEnding_ || (isInterruptNew_ && handler_); });
        if (isEnding_) {
            return;
        }
        const std::function<void()> handler = handler_;
        isHandlerRunning_ = true;
        isInterruptNew_ = false;
        lock.unlock();
        handler();
        lock.lock();
        isHandlerRunning_ = false;
        if (isLineHigh_) {
            // Either for a new cause, or because its fall is still on the way.
            settlesAt_ = now() + settleTime_;
        }
        lineMoved_.notify_all();
        wanted_.notify_one();
    }
}

void LivePort::followLine() {
    const std::lock_guard guard(mutex_);
    isLineHigh_ = irq.read();
    settlesAt_.reset();
    if (!handler_) {
        isInterruptNew_ = false;  // nobody has waited for this edge
    }
    // A running handler may still find the cause; the line is looked at again after its end.
    if (isLineHigh_ && !isHandlerRunning_) {
        announceInterrupt();
        sc_core::sc_pause();  // the handler runs at the time of the interrupt
    }
}

void LivePort::announceInterrupt() {
    isInterruptNew_ = true;
    lineMoved_.notify_all();
}

void LivePort::serveRequests() {
    for (const Request& request : served_) {
        request();
    }
    served_.clear();
}

nanoseconds LivePort::nextEvent() const {
    nanoseconds next = kForEver;
    if (sc_core::sc_pending_activity()) {
        next = toNanoseconds(sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity());
    }
    return timers_.empty() ? next : std::min(next, timers_.begin()->first);
}

std::optional<nanoseconds> LivePort::awaitStep(std::unique_lock<std::mutex>& lock) {
    isMoving_ = false;
    answered_.notify_all();
    while (!isEnding_) {
        if (isFrozen_) {
            wanted_.wait(lock);
            continue;
        }
        const nanoseconds now = toNanoseconds(sc_core::sc_time_stamp());
        if (!requests_.empty()) {
            return now + nanoseconds(1);  // chosen: a host access passes within a nanosecond
        }
        if (handler_ && (isInterruptNew_ || isHandlerRunning_)) {
            // Waiters lose no device time while the handler's thread waits for the host.
            wanted_.wait(lock);
            continue;
        }
        if (settlesAt_) {
            return std::max(*settlesAt_, now);
        }
        if (waiters_ == 0) {
            wanted_.wait(lock, [this] { return isEnding_ || waiters_ != 0 || !requests_.empty(); });
            pace_.restart(now, std::chrono::steady_clock::now());
            continue;
        }
        const Pace::Step step =
                pace_.next(now, std::max(now, nextEvent()), std::chrono::steady_clock::now());
        if (!step.sleepUntil) {
            return step.runUntil;
        }
        // New waiters also wake this thread, because their wait may end earlier.
        wanted_.wait_until(lock, *step.sleepUntil);
    }
    return std::nullopt;
}

void LivePort::publishTime() {
    const nanoseconds now = toNanoseconds(sc_core::sc_time_stamp());
    nowNs_.store(now.count(), std::memory_order_release);
    const std::lock_guard guard(mutex_);
    if (settlesAt_ && *settlesAt_ <= now) {
        settlesAt_.reset();
        announceInterrupt();
    }
    while (!timers_.empty() && timers_.begin()->first <= now) {
        timers_.begin()->second->expire();
    }
}

void LivePort::simulate() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    while (true) {
        std::optional<nanoseconds> until;
        {
            std::unique_lock lock(mutex_);
            until = awaitStep(lock);
            isMoving_ = true;
            served_.swap(requests_);
        }
        if (!until) {
            return;
        }
        if (!served_.empty()) {
            requestsArrived_.notify(sc_core::SC_ZERO_TIME);
        }
        const sc_core::sc_time target = toScTime(*until);
        if (target > sc_core::sc_time_stamp()) {
            const sc_core::sc_time step = target - sc_core::sc_time_stamp();
            stepEnd_.notify(step);  // the device runs ahead of SystemC's time up to an event
            sc_core::sc_start(step);
            stepEnd_.cancel();
        }
        publishTime();
    }
}

}  // namespace vnpu::sim
