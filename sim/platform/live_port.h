// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <systemc>
#include <thread>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/platform/host_bus.h"
#include "sim/platform/pace.h"
#include "sim/platform/worker_pool.h"

namespace vnpu::sim {

/// The device port across threads: the device is simulated on one thread; host software runs on
/// ordinary threads and is charged no time.
class LivePort : public HostBus {
  public:
    LivePort(const sc_core::sc_module_name& name, const hw::NpuConfig& config, Pace pace);
    ~LivePort() override;

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    void setInterruptHandler(std::function<void()> handler) override;
    std::unique_ptr<driver::HostEvent> createEvent() override;
    [[nodiscard]] driver::Result<void> post(std::function<void()> work) override;
    std::chrono::nanoseconds now() override;
    void chargeHost(driver::HostWork work) override;

    /// Runs the device until stop(). Simulation thread, once.
    void simulate();
    using Request = std::function<void()>;  // run on the simulation's thread
    /// Runs `request` on the thread of the simulation and waits for it. Any other thread.
    void call(const Request& request);
    /// Waits until posted work has ended. Any thread except those of posted work.
    void drain() { workers_.drain(); }
    /// Ends simulate() once posted work has ended. No other thread may wait for the device any
    /// more. Any thread except those of posted work.
    void stop();
    /// Stops simulated time even if threads wait; returns when it has stopped. For the end of a
    /// process, when no thread can be waited for. Any thread except that of the simulation.
    void freeze();

  private:
    class Event;
    class Waiter;
    using Timers = std::multimap<std::chrono::nanoseconds, Waiter*>;  // by the end of the wait

    void enqueue(Request request);
    /// Waits until the simulation may run; returns the time up to which it may run. Empty after
    /// stop().
    std::optional<std::chrono::nanoseconds> awaitStep(std::unique_lock<std::mutex>& lock);
    std::chrono::nanoseconds nextEvent() const;
    void serveRequests();
    void followLine();
    /// The lock is held.
    void announceInterrupt();
    void serveInterrupts();
    void publishTime();

    std::mutex mutex_;                   // guards what follows up to isLineHigh_; before an Event's
    std::condition_variable wanted_;     // the simulation: something to do
    std::condition_variable answered_;   // callers: a request was served
    std::condition_variable lineMoved_;  // the interrupt thread; the end of its handler
    std::vector<Request> requests_;
    Timers timers_;
    std::size_t waiters_ = 0;
    std::function<void()> handler_;
    bool isHandlerRunning_ = false;
    bool isInterruptNew_ = false;  // the line was found high, and no handler has run since
    /// After a handler, while the line is high: when the line counts as a new interrupt.
    std::optional<std::chrono::nanoseconds> settlesAt_;
    bool isEnding_ = false;
    bool isFrozen_ = false;
    bool isMoving_ = false;  // simulated time is running
    bool isLineHigh_ = false;

    const std::chrono::nanoseconds settleTime_;
    std::atomic<std::int64_t> nowNs_{0};
    Pace pace_;                          // simulation thread
    std::vector<Request> served_;        // simulation thread: the requests of the current step
    sc_core::sc_event requestsArrived_;  // simulation thread
    sc_core::sc_event stepEnd_;          // simulation thread
    WorkerPool workers_;
    std::thread interruptThread_;
};

}  // namespace vnpu::sim
