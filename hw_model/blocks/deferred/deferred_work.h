// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/spin_mutex.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>

#include "hw_model/blocks/base/short_list.h"
#include "hw_model/blocks/base/strided_range.h"
#include "hw_model/kernels/support/background_tasks.h"

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
};

/// Bits for blocks of each memory.
struct BlockSignature {
    std::uint64_t read = 0;
    std::uint64_t written = 0;

    BlockSignature() = default;
    explicit BlockSignature(const DataAccess& access);

    void add(const BlockSignature& other) {
        read |= other.read;
        written |= other.written;
    }
};

/// All bytes that a piece of work accesses.
class DataAccesses {
  public:
    /// False for an empty range and for one beyond 2^62, where no memory lies.
    static bool isAddressable(const DataAccess& access) {
        return access.first < access.end && access.end <= kSramBase;
    }

    /// Adds an addressable range; at most kMost.
    void add(const DataAccess& access);
    void addOnChip(DataPlace place, const StridedRange& rows, bool isWrite) {
        if (!rows.isEmpty()) {
            add({place, isWrite, rows.first(), rows.end(), rows});
        }
    }
    void addBus(std::uint64_t first, std::uint64_t end, bool isWrite) {
        add({DataPlace::kBus, isWrite, first, end, {}});
    }
    /// Adds the SRAM of a command's footprint, without its accumulators.
    void addSram(const Footprint& footprint);

    /// Whether both may access a common byte and at least one of them writes it.
    bool conflictWith(const DataAccesses& other) const;
    const BlockSignature& signature() const { return signature_; }

  private:
    static constexpr std::size_t kMost = 8;  // a convolution: five in SRAM, its accumulators

    // Bytes [first, end) of one address space in which the memories follow each other.
    struct Access {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        StridedRange rows;  // on chip: the bytes within the range
    };
    static constexpr std::uint64_t kSramBase = std::uint64_t{1} << 62;  // after all bus addresses
    static constexpr std::uint64_t kAccumulatorBase = std::uint64_t{1} << 63;

    static bool overlap(const Access& a, const Access& b) {
        return a.first < b.end && b.first < a.end &&
               (a.first < kSramBase || a.rows.mayOverlap(b.rows));
    }
    bool overlapAny(std::size_t first, std::size_t end, const DataAccesses& other,
                    std::size_t otherEnd) const;

    BlockSignature signature_;
    std::size_t writes_ = 0;  // number of writes; they come first
    ShortList<Access, kMost> accesses_;
};

/// Data processing of commands (the DMA's copies and the engines' computations) on oneTBB's workers
/// while simulated time advances. The engines post pieces of work in the order in which they happen
/// on the device. Two pieces that access a common byte, with at least one of them writing, run in
/// that order; others run in any order or concurrently. The bytes are therefore the same as for
/// sequential execution, independent of the threads' timing.
///
/// All other code calls finish() before it reads the bytes or exposes them: engines that compute on
/// their own, the controller before it writes to memory, the host's registers, and the platform
/// before the host's software continues. Memory with two bus addresses counts as two memories.
///
/// Simulation thread, except for the work itself.
class DeferredWork {
  public:
    // chosen: a simulation that is this many pieces ahead rarely waits
    static constexpr std::size_t kMostPosted = 512;

    DeferredWork() : workers_(kernels::BackgroundTasks::workers()) {}
    ~DeferredWork();
    DeferredWork(const DeferredWork&) = delete;
    DeferredWork& operator=(const DeferredWork&) = delete;

    /// The number of threads that work, the simulation's included.
    std::size_t threads() const { return workers_ + 1; }

    /// Takes over work whose cost equals `operations` multiply-accumulates. The work may run
    /// immediately. `work` must only use memory listed in `accesses`, and constants.
    void post(const DataAccesses& accesses, std::uint64_t operations, std::function<void()> work);

    /// Returns when all work is done. The caller helps. Rethrows exceptions of the work.
    void finish() {
        if (hasPosted_) {
            drain();
        }
    }

    /// Like finish(), but only if unfinished work conflicts with `access`.
    void finishFor(const DataAccess& access);

  private:
    using Lock = tbb::spin_mutex::scoped_lock;

    /// A set of pieces, by index.
    class Set {
      public:
        void insert(std::size_t index) { words_[index / kWordBits] |= bit(index); }
        void erase(std::size_t index) { words_[index / kWordBits] &= ~bit(index); }
        bool contains(std::size_t index) const {
            return (words_[index / kWordBits] & bit(index)) != 0;
        }
        bool isEmpty() const {
            return std::all_of(words_.begin(), words_.end(),
                               [](std::uint64_t word) { return word == 0; });
        }
        void remove(const Set& other) {
            for (std::size_t word = 0; word < kWords; ++word) {
                words_[word] &= ~other.words_[word];
            }
        }
        void add(const Set& other) {
            for (std::size_t word = 0; word < kWords; ++word) {
                words_[word] |= other.words_[word];
            }
        }
        void intersect(const Set& other) {
            for (std::size_t word = 0; word < kWords; ++word) {
                words_[word] &= other.words_[word];
            }
        }
        /// Removes the indices from `first` up to, not including, `end`, modulo kMostPosted.
        void removeRound(std::size_t first, std::size_t end);
        template <typename Visit>
        void forEach(const Visit& visit) const;
        /// Visits from `begin` - 1 downwards, wrapping around to `begin`, except indices in
        /// `skipped`, which `visit` may extend.
        template <typename Visit>
        void forEachBefore(std::size_t begin, const Set& skipped, const Visit& visit) const;

      private:
        static constexpr std::size_t kWordBits = 64;
        static constexpr std::size_t kWords = kMostPosted / kWordBits;
        static std::uint64_t bit(std::size_t index) {
            return std::uint64_t{1} << (index % kWordBits);
        }

        template <typename Visit>
        void visitDown(std::size_t word, std::uint64_t mask, const Set& skipped,
                       const Visit& visit) const;

        std::array<std::uint64_t, kWords> words_{};
    };

    /// The pieces that access each block.
    class BlockTable {
      public:
        void insert(std::size_t index, const BlockSignature& signature);
        void erase(std::size_t index, const BlockSignature& signature);
        /// All pieces that may conflict with `signature`.
        Set candidates(const BlockSignature& signature) const;

      private:
        static constexpr std::size_t kBlocks = 64;  // bits of a signature's word

        std::array<Set, kBlocks> readers_;
        std::array<Set, kBlocks> writers_;
    };

    struct Piece {
        std::function<void()> work;  // destroyed by the thread that created it
        std::size_t waitsFor = 0;    // number of pieces that must be done before
        Set followers;               // pieces that wait for this one
    };

    /// Posted pieces that may conflict; few others are among them.
    Set candidates(const BlockSignature& signature) const;
    /// The pieces that a new one must wait for, except those that are implied by others.
    Set conflicting(const DataAccesses& accesses);
    /// Makes room for one more piece; helps until there is room.
    void makeRoom();
    void drain();
    /// Runs the oldest piece that is ready; false if there is none.
    bool executeReady();
    void addReady(std::size_t index);  // call with the lock held
    void execute(std::size_t index);
    void help();
    /// False if there is work again.
    bool leave();
    /// Makes sure that there is a helper for each ready piece.
    void callHelpers(Lock& lock);

    const std::size_t workers_;
    bool hasPosted_ = false;                              // since drain()
    Set posted_;                                          // not known to be done
    std::array<DataAccesses, kMostPosted> accesses_;      // of posted pieces
    std::array<BlockSignature, kMostPosted> signatures_;  // as entered in table_
    BlockTable table_;                                    // of posted and done pieces
    std::array<Set, kMostPosted> before_;                 // all predecessors of a posted piece
    std::size_t next_ = 0;  // index of the next piece, modulo kMostPosted

    std::array<Piece, kMostPosted> pieces_;
    tbb::spin_mutex mutex_;          // guards what follows, and pieces_ except the work itself
    std::deque<std::size_t> ready_;  // oldest first
    Set done_;
    std::exception_ptr failure_;
    std::size_t helpers_ = 0;
    std::atomic<std::size_t> undone_ = 0;
    std::atomic<bool> hasReady_ = false;  // changes with the lock held; only a hint without it
    kernels::BackgroundTasks tasks_;
};

}  // namespace vnpu::hw
