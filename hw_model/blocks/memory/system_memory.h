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

/// The device's view of memory by bus address: its own resident memory, and everything behind the
/// bus. Uses direct memory pointers where the target grants them and b_transport elsewhere; takes
/// no simulated time (memory_arbiter.h accounts for it). Simulation thread.
class SystemMemory {
  public:
    SystemMemory(tlm_utils::simple_initiator_socket<Device>& socket, ResidentMemory& resident,
                 DeferredWork& work)
        : socket_(socket), resident_(resident), work_(work) {}

    /// Copy bytes; false on a bus error, when part of the bytes may have been copied. A read first
    /// waits for deferred work that affects it. A write waits for all deferred work, because its
    /// bytes may signal the completion of something to the host.
    bool read(std::uint64_t busAddress, void* destination, std::uint64_t bytes);
    bool write(std::uint64_t busAddress, const void* source, std::uint64_t bytes);

    /// Reads without an effect on the target, which need not support it; false if it does not.
    bool peek(std::uint64_t busAddress, void* destination, std::uint64_t bytes);

    /// The pointer to `busAddress`, or null if only transport reaches it; reduces `bytes` to the
    /// number of bytes that the pointer covers.
    std::byte* reach(std::uint64_t busAddress, bool write, std::uint64_t& bytes);

    /// Copies between the device and memory that host threads may access concurrently. One or two
    /// whole words, such as the counters of a ring, are copied word by word and in order, as on a
    /// bus; a thread that sees a counter thus also sees everything written before it. Any thread.
    static void copyIn(std::byte* own, const std::byte* memory, std::uint64_t bytes);
    static void copyOut(std::byte* memory, const std::byte* own, std::uint64_t bytes);

    /// Drops direct pointers into the range (for the target's invalidation call).
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
