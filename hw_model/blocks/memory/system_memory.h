// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

namespace vnpu::hw {

class DeferredWork;
class Device;
class ResidentMemory;

/// The device's view of memory by bus address: its own resident memory, and what lies behind the
/// bus. Uses direct memory pointers where the target
/// grants them and b_transport elsewhere; takes no simulated time (memory_arbiter.h accounts for
/// that). Simulation thread.
class SystemMemory {
  public:
    SystemMemory(tlm_utils::simple_initiator_socket<Device>& socket, ResidentMemory& resident,
                 DeferredWork& work)
        : socket_(socket), resident_(resident), work_(work) {}

    /// Copies bytes; false where the bus answers with an error. Part of the bytes may then have
    /// been copied. What was posted before is done where it matters for a read, and all of it for a
    /// write, whose bytes may tell the host that something is done.
    bool read(std::uint64_t busAddress, void* destination, std::uint64_t bytes);
    bool write(std::uint64_t busAddress, const void* source, std::uint64_t bytes);

    /// Where bytes of `busAddress` can be reached by pointer, and how many of `bytes`; null where
    /// only transport reaches them.
    std::byte* reach(std::uint64_t busAddress, bool write, std::uint64_t& bytes);

    /// Copies between the device and memory that host threads may look at meanwhile. One or two
    /// whole words, such as the counters of a ring, go word by word and in order, as on a bus;
    /// whoever sees a counter then sees what was written before it. Any thread.
    static void copyIn(std::byte* own, const std::byte* memory, std::uint64_t bytes);
    static void copyOut(std::byte* memory, const std::byte* own, std::uint64_t bytes);

    /// Forgets direct pointers into the range (the target's invalidation call).
    void invalidate(std::uint64_t first, std::uint64_t last);

  private:
    struct Window {
        std::uint64_t first;
        std::uint64_t last;
        std::byte* bytes;
        bool readable;
        bool writable;
    };

    const Window* find(std::uint64_t busAddress, bool write);
    bool transport(std::uint64_t busAddress, void* bytes, std::uint64_t count, bool write);
    bool access(std::uint64_t busAddress, std::byte* bytes, std::uint64_t count, bool write);

    tlm_utils::simple_initiator_socket<Device>& socket_;
    ResidentMemory& resident_;
    DeferredWork& work_;
    std::vector<Window> windows_;
    std::size_t lastWindow_ = 0;
};

}  // namespace vnpu::hw
