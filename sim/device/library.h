// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/device/library_device.h"
#include "sim/device/simulation.h"
#include "sim/device/vnpu_device.h"

namespace vnpu::sim {

/// Stores the text of this thread's last error and returns `status`.
vnpu_status fail(vnpu_status status, std::string_view text) noexcept;
const char* lastError();

/// The state that all functions of the C library share: the devices, the simulation, and which
/// thread may call. One per process; never destroyed, because SystemC's modules cannot be.
class Library {
  public:
    static Library& instance();

    /// Calls `work()`, which returns a status, unless the caller may not call: on another thread
    /// than the one that created the first device, from a callback, or after a defect. Exceptions
    /// become statuses.
    template <typename Work>
    vnpu_status call(const Work& work) noexcept {
        if (const vnpu_status refusal = checkCaller(); refusal != VNPU_OK) {
            return refusal;
        }
        isInCall_ = true;
        vnpu_status status = VNPU_OK;
        try {
            status = work();
        } catch (const std::exception& error) {
            status = noteDefect(error.what());
        } catch (...) {
            status = noteDefect("an exception of unknown type");
        }
        isInCall_ = false;
        return status;
    }

    /// As call(), for functions of a device: refuses one that does not exist.
    template <typename Work>
    vnpu_status call(const vnpu_device* device, const Work& work) noexcept {
        return call([&] {
            return isAlive(device) ? work()
                                   : fail(VNPU_INVALID_ARGUMENT, "device is null or destroyed");
        });
    }

    /// Makes the calling thread the owner if it has none.
    void claim();
    /// The opposite, as long as no device has been created.
    void disclaim();
    vnpu_status create(const vnpu_options& options, vnpu_device*& device);
    /// Also after a defect. Does nothing on the wrong thread or from a callback.
    void destroy(vnpu_device* device) noexcept;
    vnpu_status advance(std::uint64_t step, bool untilInterrupt);

    /// Whether the caller may look at this device, also from a callback.
    bool mayRead(const vnpu_device* device) const { return isOwnThread() && isAlive(device); }
    bool isOwnThread() const {
        return owner_.load(std::memory_order_relaxed) == std::this_thread::get_id();
    }

    std::uint64_t untilNextEvent() const;

  private:
    /// Whether the handle is that of a device; any value.
    bool isAlive(const vnpu_device* device) const;
    vnpu_status checkCaller() const;
    vnpu_status noteDefect(const char* what) noexcept;

    std::atomic<std::thread::id> owner_;  // set by the first creation
    bool isInCall_ = false;
    bool hasDefect_ = false;
    std::string defect_;  // its text
    std::unique_ptr<Simulation> simulation_;
    std::vector<std::unique_ptr<vnpu_device>> devices_;    // alive
    std::vector<std::unique_ptr<vnpu_device>> destroyed_;  // no longer used by the caller
};

}  // namespace vnpu::sim
