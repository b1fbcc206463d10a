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

/// A bit for some blocks of some memory.
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

/// All that a piece of work touches.
class DataAccesses {
  public:
    /// Not where it is empty or reaches over 2^62: no memory does.
    static bool isAddressable(const DataAccess& access) {
        return access.first < access.end && access.end <= kSramBase;
    }

    /// Addressable ones, up to kMost.
    void add(const DataAccess& access);
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

    /// Whether a byte may be in common that one of them writes.
    bool conflictWith(const DataAccesses& other) const;
    const BlockSignature& signature() const { return signature_; }

  private:
    static constexpr std::size_t kMost = 8;  // a convolution: five in SRAM, its accumulators

    // Bytes [first, end) of the one space in which the memories lie behind each other.
    struct Access {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        StridedRange rows;  // on chip: which of them
    };
    static constexpr std::uint64_t kSramBase = std::uint64_t{1} << 62;  // behind the bus addresses
    static constexpr std::uint64_t kAccumulatorBase = std::uint64_t{1} << 63;

    static bool overlap(const Access& a, const Access& b) {
        return a.first < b.end && b.first < a.end &&
               (a.first < kSramBase || a.rows.mayOverlap(b.rows));
    }
    bool overlapAny(std::size_t first, std::size_t end, const DataAccesses& other,
                    std::size_t otherEnd) const;

    BlockSignature signature_;
    std::size_t writes_ = 0;  // so many write; they come first
    ShortList<Access, kMost> accesses_;
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
    // chosen: a simulation that is ahead by so many rarely waits
    static constexpr std::size_t kMostPosted = 512;

    DeferredWork() : workers_(kernels::BackgroundTasks::workers()) {}
    ~DeferredWork();
    DeferredWork(const DeferredWork&) = delete;
    DeferredWork& operator=(const DeferredWork&) = delete;

    /// Takes over work that costs as much as `operations` multiply-accumulates. It may be done at
    /// once. `work` must only use memory that it names in `accesses`, and constants.
    void post(const DataAccesses& accesses, std::uint64_t operations, std::function<void()> work);

    /// Returns when all is done. The caller helps. Throws what the work threw.
    void finish() {
        if (hasPosted_) {
            drain();
        }
    }

    /// Like finish(), but only if something that is not done yet conflicts with `access`.
    void finishFor(const DataAccess& access);

  private:
    using Lock = tbb::spin_mutex::scoped_lock;

    /// Of pieces, by their index.
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
        /// Those from `first` on to before `end`, at most the whole round.
        void removeRound(std::size_t first, std::size_t end);
        template <typename Visit>
        void forEach(const Visit& visit) const;
        /// From `begin` - 1 on downwards, and round to `begin`; without those in `skipped`, which
        /// `visit` may add to.
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

    /// Which pieces touch which blocks.
    class BlockTable {
      public:
        void insert(std::size_t index, const BlockSignature& signature);
        void erase(std::size_t index, const BlockSignature& signature);
        /// All that may conflict with a piece of that signature.
        Set candidates(const BlockSignature& signature) const;

      private:
        static constexpr std::size_t kBlocks = 64;  // bits of a signature's word

        std::array<Set, kBlocks> readers_;
        std::array<Set, kBlocks> writers_;
    };

    struct Piece {
        std::function<void()> work;  // freed by the thread that made it
        std::size_t waitsFor = 0;    // pieces before it
        Set followers;               // pieces that wait for it
    };

    /// Posted pieces, few more than those that conflict.
    Set candidates(const BlockSignature& signature) const;
    /// Those that a new piece must wait for, without those that they wait for themselves.
    Set conflicting(const DataAccesses& accesses);
    /// For one more. Helps until there is.
    void makeRoom();
    void drain();
    /// The oldest piece that waits for nobody; false if there is none.
    bool executeReady();
    void addReady(std::size_t index);  // with the lock
    void execute(std::size_t index);
    void help();
    /// False where there is something to do again.
    bool leave();
    /// Makes sure that as many threads help as there are ready pieces.
    void callHelpers(Lock& lock);

    const std::size_t workers_;
    bool hasPosted_ = false;                              // since drain()
    Set posted_;                                          // not known to be done
    std::array<DataAccesses, kMostPosted> accesses_;      // of posted pieces
    std::array<BlockSignature, kMostPosted> signatures_;  // as they stand in the table
    BlockTable table_;                                    // of posted and done pieces
    std::array<Set, kMostPosted> before_;  // all that a posted piece waits for, or did
    std::size_t next_ = 0;                 // of the next piece: indices go round

    std::array<Piece, kMostPosted> pieces_;
    tbb::spin_mutex mutex_;          // what follows, and pieces_ but for the work itself
    std::deque<std::size_t> ready_;  // oldest first
    Set done_;
    std::exception_ptr failure_;
    std::size_t helpers_ = 0;
    std::atomic<std::size_t> undone_ = 0;
    std::atomic<bool> hasReady_ = false;  // changes with the lock; without it a hint
    kernels::BackgroundTasks tasks_;
};

}  // namespace vnpu::hw
