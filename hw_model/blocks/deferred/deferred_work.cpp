// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/deferred/deferred_work.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>
#include <utility>

#include "hw_model/blocks/base/footprint.h"
#include "hw_model/regs/check.h"

namespace vnpu::hw {

namespace {

// chosen: about 2 us of one core; less is not worth the hand-over
constexpr std::uint64_t kWorthwhileOperations = 200'000;

// chosen: the cost of waking a sleeping thread
constexpr auto kPatience = std::chrono::microseconds(200);

// Selects a bit by a block's number in one memory. chosen: half a megabyte of SRAM has a bit for
// each block, and tiles are about as large as a block.
struct BlockBits {
    std::uint64_t blockBytes;
    std::uint64_t first;
    std::uint64_t count;
};
constexpr BlockBits kSramBits = {16384, 0, 32};
constexpr BlockBits kAccumulatorBits = {4096, 32, 8};
constexpr BlockBits kBusBits = {65536, 40, 24};

std::uint64_t blocksOf(const DataAccess& access) {
    const BlockBits& bits = access.place == DataPlace::kSram           ? kSramBits
                            : access.place == DataPlace::kAccumulators ? kAccumulatorBits
                                                                       : kBusBits;
    const std::uint64_t all = (std::uint64_t{1} << bits.count) - 1;
    const std::uint64_t first = access.first / bits.blockBytes;
    const std::uint64_t blocks = (access.end - 1) / bits.blockBytes - first + 1;
    if (blocks >= bits.count) {
        return all << bits.first;
    }
    const std::uint64_t run = (std::uint64_t{1} << blocks) - 1;
    const std::uint64_t shift = first % bits.count;
    return ((run << shift | run >> (bits.count - shift)) & all) << bits.first;
}

template <typename Visit>
void forEachBit(std::uint64_t bits, const Visit& visit) {
    for (; bits != 0; bits &= bits - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(bits)));
    }
}

// Backs off while a thread polls for another one's action: relaxes the processor's core, and from
// time to time yields the processor.
class ShortWait {
  public:
    /// Whether about kPatience has passed.
    bool isLong() const { return isLong_; }

    void look() {
        constexpr unsigned kLooksAtOnce = 256;  // chosen: some 10 us
        if (++looks_ % kLooksAtOnce == 0) {
            std::this_thread::yield();
            const Clock::time_point now = Clock::now();
            end_ = looks_ == kLooksAtOnce ? now + kPatience : end_;
            isLong_ = now >= end_;
            return;
        }
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

  private:
    using Clock = std::chrono::steady_clock;

    unsigned looks_ = 0;
    Clock::time_point end_;
    bool isLong_ = false;
};

}  // namespace

BlockSignature::BlockSignature(const DataAccess& access) {
    (access.isWrite ? written : read) = blocksOf(access);
}

void DataAccesses::addSram(const Footprint& footprint) {
    for (const SramAccess& access : footprint.accesses()) {
        addOnChip(DataPlace::kSram, access.range, access.isWrite);
    }
}

void DataAccesses::add(const DataAccess& access) {
    VNPU_CHECK(isAddressable(access), "an access has bytes in a memory");
    const std::uint64_t base = access.place == DataPlace::kBus    ? 0
                               : access.place == DataPlace::kSram ? kSramBase
                                                                  : kAccumulatorBase;
    Access& place = accesses_.add({base + access.first, base + access.end, access.rows});
    if (access.isWrite) {
        std::swap(place, accesses_[writes_++]);
    }
    signature_.add(BlockSignature(access));
}

bool DataAccesses::overlapAny(std::size_t first, std::size_t end, const DataAccesses& other,
                              std::size_t otherEnd) const {
    for (std::size_t mine = first; mine < end; ++mine) {
        for (std::size_t theirs = 0; theirs < otherEnd; ++theirs) {
            if (overlap(accesses_[mine], other.accesses_[theirs])) {
                return true;
            }
        }
    }
    return false;
}

bool DataAccesses::conflictWith(const DataAccesses& other) const {
    return overlapAny(0, writes_, other, other.accesses_.size()) ||
           overlapAny(writes_, accesses_.size(), other, other.writes_);
}

template <typename Visit>
void DeferredWork::Set::forEach(const Visit& visit) const {
    for (std::size_t word = 0; word < kWords; ++word) {
        forEachBit(words_[word], [&](std::size_t index) { visit(word * kWordBits + index); });
    }
}

template <typename Visit>
void DeferredWork::Set::visitDown(std::size_t word, std::uint64_t mask, const Set& skipped,
                                  const Visit& visit) const {
    std::uint64_t left = words_[word] & mask & ~skipped.words_[word];
    while (left != 0) {
        const auto index = static_cast<std::size_t>(std::bit_width(left)) - 1;
        visit(word * kWordBits + index);
        left &= ~bit(index) & ~skipped.words_[word];
    }
}

template <typename Visit>
void DeferredWork::Set::forEachBefore(std::size_t begin, const Set& skipped,
                                      const Visit& visit) const {
    const std::size_t middle = begin / kWordBits;
    const std::uint64_t below = bit(begin) - 1;
    visitDown(middle, below, skipped, visit);
    for (std::size_t i = 1; i < kWords; ++i) {
        visitDown((middle + kWords - i) % kWords, ~std::uint64_t{0}, skipped, visit);
    }
    visitDown(middle, ~below, skipped, visit);
}

void DeferredWork::Set::removeRound(std::size_t first, std::size_t end) {
    const std::uint64_t fromFirst = ~(bit(first) - 1);
    const std::uint64_t beforeEnd = bit(end) - 1;
    const std::size_t firstWord = first / kWordBits;
    const std::size_t endWord = end / kWordBits;
    if (firstWord == endWord && first <= end) {
        words_[firstWord] &= ~(fromFirst & beforeEnd);
        return;
    }
    words_[firstWord] &= ~fromFirst;
    for (std::size_t word = (firstWord + 1) % kWords; word != endWord; word = (word + 1) % kWords) {
        words_[word] = 0;
    }
    words_[endWord] &= ~beforeEnd;
}

void DeferredWork::BlockTable::insert(std::size_t index, const BlockSignature& signature) {
    forEachBit(signature.read, [&](std::size_t block) { readers_[block].insert(index); });
    forEachBit(signature.written, [&](std::size_t block) { writers_[block].insert(index); });
}

void DeferredWork::BlockTable::erase(std::size_t index, const BlockSignature& signature) {
    forEachBit(signature.read, [&](std::size_t block) { readers_[block].erase(index); });
    forEachBit(signature.written, [&](std::size_t block) { writers_[block].erase(index); });
}

DeferredWork::Set DeferredWork::BlockTable::candidates(const BlockSignature& signature) const {
    Set found;
    forEachBit(signature.read | signature.written,
               [&](std::size_t block) { found.add(writers_[block]); });
    forEachBit(signature.written, [&](std::size_t block) { found.add(readers_[block]); });
    return found;
}

DeferredWork::~DeferredWork() {
    try {
        finish();
    } catch (...) {  // no caller wants the results any more
    }
    tasks_.wait();
}

DeferredWork::Set DeferredWork::candidates(const BlockSignature& signature) const {
    Set found = table_.candidates(signature);
    found.intersect(posted_);
    return found;
}

// Newest first: pieces that a found piece already waits for are skipped, which is usually nearly
// all of them.
DeferredWork::Set DeferredWork::conflicting(const DataAccesses& accesses) {
    Set found;
    Set& before = before_[next_];
    before = {};
    candidates(accesses.signature()).forEachBefore(next_, before, [&](std::size_t index) {
        if (accesses_[index].conflictWith(accesses)) {
            found.insert(index);
            before.insert(index);
            // Ignores indices that younger pieces have reused since: their old pieces are done.
            Set older = before_[index];
            older.removeRound((index + 1) % kMostPosted, next_);
            before.add(older);
        }
    });
    return found;
}

void DeferredWork::post(const DataAccesses& accesses, std::uint64_t operations,
                        std::function<void()> work) {
    if (hasPosted_) {
        makeRoom();
    }
    const Set before = conflicting(accesses);
    if (before.isEmpty() && (operations < kWorthwhileOperations || workers_ == 0)) {
        work();
        return;
    }
    const std::size_t index = std::exchange(next_, (next_ + 1) % kMostPosted);
    accesses_[index] = accesses;
    table_.erase(index, signatures_[index]);
    signatures_[index] = accesses.signature();
    table_.insert(index, signatures_[index]);
    posted_.insert(index);
    hasPosted_ = true;
    ++undone_;
    Piece& piece = pieces_[index];
    piece.work = std::move(work);
    Lock lock(mutex_);
    before.forEach([&](std::size_t other) {
        if (!done_.contains(other)) {
            pieces_[other].followers.insert(index);
            ++piece.waitsFor;
        }
    });
    if (piece.waitsFor == 0) {
        addReady(index);
        callHelpers(lock);
    }
}

void DeferredWork::finishFor(const DataAccess& access) {
    const Set concerned = candidates(BlockSignature(access));
    if (concerned.isEmpty()) {
        return;
    }
    if (!DataAccesses::isAddressable(access)) {
        finish();
        return;
    }
    DataAccesses accesses;
    accesses.add(access);
    bool isConcerned = false;
    concerned.forEach([&](std::size_t index) {
        isConcerned = isConcerned || accesses_[index].conflictWith(accesses);
    });
    if (isConcerned) {
        finish();
    }
}

// Waits only for the oldest posted piece: the others keep all threads busy while simulated time
// advances.
void DeferredWork::makeRoom() {
    ShortWait wait;
    while (true) {
        {
            const Lock lock(mutex_);
            posted_.remove(std::exchange(done_, {}));
        }
        if (!posted_.contains(next_)) {
            return;
        }
        if (!executeReady()) {
            wait.look();
        }
    }
}

// The simulation thread helps with ready pieces: it may run on a coroutine's stack, where oneTBB
// lets it wait for tasks but not execute other tasks.
void DeferredWork::drain() {
    ShortWait wait;
    while (undone_ != 0) {
        if (!executeReady()) {
            wait.look();
        }
    }
    const Lock lock(mutex_);
    hasPosted_ = false;
    posted_ = {};
    done_ = {};
    if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
        std::rethrow_exception(failure);
    }
}

bool DeferredWork::executeReady() {
    if (!hasReady_.load(std::memory_order_relaxed)) {
        return false;
    }
    std::size_t index = 0;
    {
        const Lock lock(mutex_);
        if (ready_.empty()) {
            return false;
        }
        index = ready_.front();
        ready_.pop_front();
        hasReady_.store(!ready_.empty(), std::memory_order_relaxed);
    }
    execute(index);
    return true;
}

void DeferredWork::addReady(std::size_t index) {
    ready_.push_back(index);
    hasReady_.store(true, std::memory_order_relaxed);
}

void DeferredWork::execute(std::size_t index) {
    Piece& piece = pieces_[index];
    std::exception_ptr failure;
    try {
        piece.work();
    } catch (...) {
        failure = std::current_exception();
    }
    Lock lock(mutex_);
    if (failure && !failure_) {
        failure_ = std::move(failure);
    }
    done_.insert(index);
    std::exchange(piece.followers, {}).forEach([&](std::size_t follower) {
        if (--pieces_[follower].waitsFor == 0) {
            addReady(follower);
        }
    });
    --undone_;
    callHelpers(lock);
}

void DeferredWork::callHelpers(Lock& lock) {
    std::size_t wanted = 0;
    while (helpers_ < std::min(workers_, ready_.size())) {
        ++helpers_;
        ++wanted;
    }
    lock.release();
    for (; wanted != 0; --wanted) {
        tasks_.run([this] { help(); });
    }
}

// Waking a thread costs as much as some pieces, so an idle helper waits for a while.
void DeferredWork::help() {
    do {
        ShortWait wait;
        while (!wait.isLong()) {
            if (executeReady()) {
                wait = {};
            } else {
                wait.look();
            }
        }
    } while (!leave());
}

bool DeferredWork::leave() {
    const Lock lock(mutex_);
    if (!ready_.empty()) {
        return false;
    }
    --helpers_;
    return true;
}

}  // namespace vnpu::hw
