// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/deferred_work.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "hw_model/blocks/footprint.h"
#include "hw_model/regs/check.h"

namespace vnpu::hw {

namespace {

// chosen: about 2 us of one core; handing over costs as much
constexpr std::uint64_t kWorthwhileOperations = 200'000;

}  // namespace

void DataAccesses::addSram(const Footprint& footprint) {
    for (const SramAccess& access : footprint.accesses()) {
        addOnChip(DataPlace::kSram, access.range, access.isWrite);
    }
}

void DataAccesses::add(const DataAccess& access) {
    VNPU_CHECK(count_ < kMost, "work has a few operands");
    accesses_[count_++] = access;
}

bool DataAccesses::conflictWith(const DataAccess& other) const {
    return std::any_of(accesses_.begin(), accesses_.begin() + count_,
                       [&](const DataAccess& access) { return access.conflictsWith(other); });
}

bool DataAccesses::conflictWith(const DataAccesses& other) const {
    return std::any_of(accesses_.begin(), accesses_.begin() + count_,
                       [&](const DataAccess& access) { return other.conflictWith(access); });
}

DeferredWork::~DeferredWork() {
    try {
        finish();
    } catch (...) {  // nobody is left who wants the results
    }
}

DeferredWork::Mask DeferredWork::conflicting(const DataAccesses& accesses) const {
    Mask found = 0;
    for (Mask left = posted_; left != 0; left &= left - 1) {
        const auto index = static_cast<std::size_t>(std::countr_zero(left));
        if (pieces_[index].accesses.conflictWith(accesses)) {
            found |= bit(index);
        }
    }
    return found;
}

void DeferredWork::post(const DataAccesses& accesses, std::uint64_t operations,
                        std::function<void()> work) {
    if (posted_ != 0) {
        const std::lock_guard lock(mutex_);
        posted_ &= ~std::exchange(done_, 0);
    }
    if (static_cast<std::size_t>(std::popcount(posted_)) == kMostPosted) {
        drain();
    }
    const Mask before = conflicting(accesses);
    if (before == 0 && (operations < kWorthwhileOperations || workers_ == 0)) {
        work();
        return;
    }
    const auto index = static_cast<std::size_t>(std::countr_one(posted_));
    Piece& piece = pieces_[index];
    piece.accesses = accesses;
    piece.work = std::move(work);
    posted_ |= bit(index);
    std::unique_lock lock(mutex_);
    piece.waitsFor = before & ~done_;
    if (piece.waitsFor != 0) {
        waiting_ |= bit(index);
        return;
    }
    ready_.push_back(index);
    callHelpers(lock);
}

void DeferredWork::finishFor(const DataAccess& access) {
    for (Mask left = posted_; left != 0; left &= left - 1) {
        if (pieces_[static_cast<std::size_t>(std::countr_zero(left))].accesses.conflictWith(
                    access)) {
            finish();
            return;
        }
    }
}

// The simulation thread does what is ready, and then helps the workers with theirs.
void DeferredWork::drain() {
    std::unique_lock lock(mutex_);
    while (!ready_.empty()) {
        const std::size_t index = ready_.front();
        ready_.pop_front();
        lock.unlock();
        execute(index);
        lock.lock();
    }
    lock.unlock();
    // Whoever ends the last piece before another one goes on with that, so nothing is left then.
    tasks_.wait();
    lock.lock();
    VNPU_CHECK(waiting_ == 0 && ready_.empty(), "somebody does what others wait for");
    posted_ = 0;
    done_ = 0;
    if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
        std::rethrow_exception(failure);
    }
}

void DeferredWork::execute(std::size_t index) {
    Piece& piece = pieces_[index];
    std::exception_ptr failure;
    try {
        piece.work();
    } catch (...) {
        failure = std::current_exception();
    }
    piece.work = nullptr;
    std::unique_lock lock(mutex_);
    if (failure && !failure_) {
        failure_ = failure;
    }
    done_ |= bit(index);
    for (Mask left = waiting_; left != 0; left &= left - 1) {
        const auto other = static_cast<std::size_t>(std::countr_zero(left));
        pieces_[other].waitsFor &= ~bit(index);
        if (pieces_[other].waitsFor == 0) {
            waiting_ &= ~bit(other);
            ready_.push_back(other);
        }
    }
    callHelpers(lock);
}

// As many helpers as there is work for.
void DeferredWork::callHelpers(std::unique_lock<std::mutex>& lock) {
    std::size_t wanted = 0;
    while (helpers_ < std::min(workers_, ready_.size())) {
        ++helpers_;
        ++wanted;
    }
    lock.unlock();
    for (; wanted != 0; --wanted) {
        tasks_.run([this] { help(); });
    }
}

void DeferredWork::help() {
    while (true) {
        std::unique_lock lock(mutex_);
        if (ready_.empty()) {
            --helpers_;
            return;
        }
        const std::size_t index = ready_.front();
        ready_.pop_front();
        lock.unlock();
        execute(index);
    }
}

}  // namespace vnpu::hw
