// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "hw_model/blocks/strided_range.h"
#include "hw_model/kernels/background_tasks.h"

namespace vnpu::hw {

class Footprint;

enum class DataPlace : std::uint8_t { kSram, kAccumulators, kBus };

/// Bytes of one memory that a piece of work reads or writes.
struct DataAccess {
    DataPlace place = DataPlace::kSram;
    bool isWrite = false;
    std::uint64_t first = 0;  // bus address or offset
    std::uint64_t end = 0;    // one past the last byte
    StridedRange rows;        // on chip: which bytes of [first, end)

    bool conflictsWith(const DataAccess& other) const {
        return place == other.place && (isWrite || other.isWrite) && first < other.end &&
               other.first < end && (place == DataPlace::kBus || rows.mayOverlap(other.rows));
    }
};

/// All that a piece of work touches.
class DataAccesses {
  public:
    void addOnChip(DataPlace place, const StridedRange& rows, bool isWrite) {
        if (!rows.isEmpty()) {
            add({place, isWrite, rows.first(), rows.end(), rows});
        }
    }
    void addBus(std::uint64_t first, std::uint64_t end, bool isWrite) {
        add({DataPlace::kBus, isWrite, first, end, {}});
    }
    /// SRAM as in a command's footprint; not its accumulators.
    void addSram(const Footprint& footprint);

    bool conflictWith(const DataAccesses& other) const;
    bool conflictWith(const DataAccess& other) const;

  private:
    static constexpr std::size_t kMost = 8;  // a convolution: five in SRAM, its accumulators

    void add(const DataAccess& access);

    std::array<DataAccess, kMost> accesses_;
    std::size_t count_ = 0;
};

/// The data side of commands, done on oneTBB's workers while simulated time goes on: copies of the
/// DMA and what the engines compute. The engines post it in the order in which it happens on the
/// device. Two pieces that touch a byte in common, one of them writing, run in that order; others
/// at the same time or in any order. So the bytes are those of one after the other, whatever the
/// threads do.
///
/// Who else looks at the bytes, or lets others look, calls finish() before: the engines that work
/// for themselves, the controller before it writes to memory, the host's registers, and the
/// platform before it lets the host's software go on. Memory that has two bus addresses counts as
/// two.
///
/// Simulation thread, but for the work itself.
class DeferredWork {
  public:
    DeferredWork() : workers_(kernels::BackgroundTasks::workers()) {}
    ~DeferredWork();
    DeferredWork(const DeferredWork&) = delete;
    DeferredWork& operator=(const DeferredWork&) = delete;

    /// Takes over work that costs as much as `operations` multiply-accumulates. It may be done at
    /// once. `work` must only use memory that it names in `accesses`, and constants.
    void post(const DataAccesses& accesses, std::uint64_t operations, std::function<void()> work);

    /// Returns when all is done and no other thread is at it any more. Throws what the work threw.
    void finish() {
        if (posted_ != 0 || helpers_.load(std::memory_order_acquire) != 0) {
            drain();
        }
    }

    /// Like finish(), but only if something that is not done yet conflicts with `access`.
    void finishFor(const DataAccess& access);

  private:
    using Mask = std::uint32_t;
    static constexpr std::size_t kMostPosted =
            32;  // chosen: keeps several threads busy; each new piece is compared with all

    struct Piece {
        DataAccesses accesses;
        std::function<void()> work;
        Mask waitsFor = 0;
    };

    static Mask bit(std::size_t index) { return Mask{1} << index; }
    Mask conflicting(const DataAccesses& accesses) const;
    void drain();
    void execute(std::size_t index);
    void help();
    void callHelpers(std::unique_lock<std::mutex>& lock);

    const std::size_t workers_;
    Mask posted_ = 0;  // not known to be done; simulation thread
    std::array<Piece, kMostPosted> pieces_;

    std::mutex mutex_;               // what follows, and waitsFor of all pieces
    std::deque<std::size_t> ready_;  // oldest first
    Mask waiting_ = 0;
    Mask done_ = 0;
    std::exception_ptr failure_;
    std::atomic<std::size_t> helpers_ = 0;
    kernels::BackgroundTasks tasks_;
};

}  // namespace vnpu::hw
