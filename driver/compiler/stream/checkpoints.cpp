// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/checkpoints.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <variant>

#include "driver/compiler/stream/live_memory.h"
#include "driver/compiler/stream/memory_copies.h"
#include "driver/compiler/stream/saved_context.h"
#include "firmware/api/save_area.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {
namespace {

// Of the interval. chosen: a window wide enough to meet a place between two tiles' lives
constexpr double kWindowShare = 0.5;
// Of the interval: borders of operations that follow more closely get no checkpoint. chosen: at
// eight checkpoints in an interval of thousands of cycles their dispatch stays under 1 %
constexpr double kBorderShare = 0.125;
// Share of the interval by which a command behind a checkpoint may begin earlier than expected.
// chosen: well above the error of estimates within an interval
constexpr double kMarginShare = 0.25;
// Shares of the time that a checkpoint holds the controller by which the hold is shortened: the
// first, up to the margin, or the second if that is more. chosen: the error of estimates of single
// commands, short ones, which wait for memory more, and long ones
constexpr double kShortHoldError = 0.15;
constexpr double kLongHoldError = 0.01;
// chosen: the last stores of an operation; more is work that would hold up the next one
constexpr std::size_t kMaxMovedStores = 4;
// chosen: commands in which two operations may overlap for it
constexpr std::size_t kMaxOverlap = 64;

bool isMemory(const hw::MemoryRef& ref) {
    return ref.space != hw::kSpaceSram;
}

/// Brings data onto the chip: such commands may run ahead of their operation.
bool isLoad(const ListedCommand& command) {
    const auto* transfer = std::get_if<hw::DmaTransfer>(&command.payload);
    return transfer != nullptr && isMemory(transfer->source) && !isMemory(transfer->destination);
}

bool isStore(const ListedCommand& command) {
    const auto* transfer = std::get_if<hw::DmaTransfer>(&command.payload);
    return transfer != nullptr && !isMemory(transfer->source) && isMemory(transfer->destination);
}

class CheckpointPlacer {
  public:
    CheckpointPlacer(const std::vector<ListedCommand>& commands, const CostModel& costs,
                     std::span<const Region> regions, Schedule& schedule)
        : commands_(commands),
          costs_(costs),
          regions_(regions),
          schedule_(schedule),
          entry_(costs.device()),
          isBorder_(commands.size() + 1, false),
          isForced_(commands.size() + 1, false),
          toSave_(commands.size() + 1, 0) {}

    CheckpointSummary run(double intervalCycles) {
        numberSteps();
        moveStores();
        timeCommands(commands_, costs_, schedule_);
        findBorders();
        findLoops();
        findEntry();
        findBytesToSave();
        choose(intervalCycles);
        describe();
        limitLead(kMarginShare * intervalCycles);
        timeCommands(commands_, costs_, schedule_);
        return summarize();
    }

  private:
    const ListedCommand& at(std::size_t position) const { return commands_[indexAt(position)]; }
    std::uint32_t indexAt(std::size_t position) const { return schedule_.order[position]; }
    const ControlCommand* controlAt(std::size_t position) const {
        return std::get_if<ControlCommand>(&at(position).payload);
    }
    std::uint32_t stepAt(std::size_t position) const { return steps_[indexAt(position)]; }
    std::size_t size() const { return schedule_.order.size(); }

    /// Commands of one operation that follow one another in the list are one step.
    void numberSteps() {
        steps_.assign(commands_.size(), 0);
        for (std::size_t i = 1; i < commands_.size(); ++i) {
            const bool isSame = commands_[i].operation == commands_[i - 1].operation;
            steps_[i] = steps_[i - 1] + (isSame ? 0 : 1);
        }
    }

    /// Lets a step's last stores be handed over before the next step's first computation: they run
    /// when they did, and no step is half done behind them.
    void moveStores() {
        for (std::size_t first = 0; first < size(); ++first) {
            const bool isComputation =
                    !isLoad(at(first)) && !isStore(at(first)) && controlAt(first) == nullptr;
            if (!isComputation || stepAt(first) == 0) {
                continue;
            }
            const std::uint32_t step = stepAt(first);
            std::size_t last = first;
            std::size_t moved = 0;
            const std::size_t end = std::min(size(), first + kMaxOverlap);
            for (std::size_t p = first + 1; p < end && controlAt(p) == nullptr; ++p) {
                if (stepAt(p) < step) {
                    last = p;
                    moved += isStore(at(p)) ? 1 : kMaxMovedStores + 1;
                }
            }
            if (moved == 0 || moved > kMaxMovedStores) {
                continue;
            }
            const auto begin = schedule_.order.begin() + static_cast<std::ptrdiff_t>(first);
            std::stable_partition(begin, begin + static_cast<std::ptrdiff_t>(last - first + 1),
                                  [&](std::uint32_t i) { return steps_[i] < step; });
        }
    }

    /// Borders are places where every step that has computed anything is finished.
    void findBorders() {
        std::vector<std::uint32_t> leastBehind(size() + 1, UINT32_MAX);
        for (std::size_t p = size(); p-- > 0;) {
            leastBehind[p] = std::min(leastBehind[p + 1], stepAt(p));
        }
        std::uint32_t begun = 0;
        bool wasBorder = true;  // before the first command there is nothing to save
        for (std::size_t p = 0; p < size(); ++p) {
            const bool isBorder = p == 0 || leastBehind[p] > begun;
            isBorder_[p] = isBorder && !wasBorder;
            wasBorder = isBorder;
            if (!isLoad(at(p))) {
                begun = std::max(begun, stepAt(p));
            }
        }
        isBorder_[size()] = true;
    }

    /// However often a loop runs, each round passes a checkpoint.
    void findLoops() {
        std::map<std::uint32_t, std::size_t> positionOfLabel;
        for (std::size_t p = 0; p < size(); ++p) {
            const ControlCommand* control = controlAt(p);
            if (control == nullptr) {
                continue;
            }
            if (control->kind == ControlNode::Kind::kLabel) {
                positionOfLabel[control->label] = p;
            }
            isForced_[p] = control->kind == ControlNode::Kind::kBranch &&
                           positionOfLabel.count(control->label) != 0;
        }
    }

    /// The bytes that may be live behind a step of the controller, on every path.
    void findEntry() {
        for (bool isNew = true; isNew;) {
            LiveMemory found(costs_.device());
            walkBack([&](std::size_t position, const LiveMemory& live) {
                if (position > 0 && controlAt(position - 1) != nullptr) {
                    found.unite(live);
                }
            });
            isNew = entry_.unite(found);
        }
    }

    /// Counts the live bytes that memory does not hold. Bytes of copies that commands read do not
    /// count, because memory holds them from the load to the last such read. The saved bytes may
    /// differ a little, by bytes that are read behind a step of the controller and by the rests of
    /// large transfers.
    void findBytesToSave() {
        std::vector<std::vector<Span64>> copied(size());  // of what the commands read
        MemoryCopies copies(regions_);
        for (std::size_t p = 0; p < size(); ++p) {
            copied[p] = copies.readBy(at(p).payload);
            copies.step(indexAt(p), at(p).payload);
        }
        walkBack([this](std::size_t position,
                        const LiveMemory& live) { toSave_[position] = live.bytes(); },
                 [&](std::size_t position, LiveMemory& live) {
                     for (const Span64& bytes : copied[position]) {
                         live.exclude(bytes);
                     }
                 });
    }

    /// Calls `visit` with the live bytes at every position, from the last to the first, and
    /// `reduce` after each command.
    template <typename Visit, typename Reduce>
    void walkBack(Visit visit, Reduce reduce) const {
        LiveMemory live(costs_.device());
        for (std::size_t p = size();; --p) {
            visit(p, live);
            if (p == 0) {
                return;
            }
            if (controlAt(p - 1) != nullptr) {
                live = entry_;
            } else {
                live.stepBack(at(p - 1).payload);
                reduce(p - 1, live);
            }
        }
    }

    template <typename Visit>
    void walkBack(Visit visit) const {
        walkBack(visit, [](std::size_t, const LiveMemory&) {});
    }

    void choose(double intervalCycles) {
        const std::vector<double> drained = schedule_.drainedCycles();
        double last = drained.front();
        std::size_t best = 0;  // in the window, 0: none
        const auto take = [&](std::size_t position) {
            chosen_.push_back(position);
            last = drained[position];
            best = 0;
        };
        for (std::size_t p = 1; p <= size(); ++p) {
            const double since = drained[p] - last;
            if (since > intervalCycles && best != 0) {
                p = best;
                take(p);
                continue;
            }
            if (p == size()) {
                if (isBehindDsp(p)) {
                    take(p);
                }
                return;
            }
            if (isForced_[p] || isBehindDsp(p) || since > intervalCycles ||
                (isBorder_[p] && since >= kBorderShare * intervalCycles)) {
                take(p);
            } else if (since >= kWindowShare * intervalCycles &&
                       (best == 0 || toSave_[p] <= toSave_[best])) {
                best = p;
            }
        }
    }

    /// The DSP is interrupted only while the controller stays at a checkpoint. Its time depends on
    /// data, too, so that no estimate guarantees a short one.
    bool isBehindDsp(std::size_t position) const {
        return position > 0 && at(position - 1).engine == hw::Engine::kDsp;
    }

    void describe() {
        const std::vector<std::vector<MemoryCopy>> copies = copiesAtChosen();
        schedule_.checkpoints.resize(chosen_.size());
        std::size_t left = chosen_.size();
        walkBack([&](std::size_t position, const LiveMemory& live) {
            if (left == 0 || chosen_[left - 1] != position) {
                return;
            }
            PlacedCheckpoint& placed = schedule_.checkpoints[--left];
            placed.position = position;
            placed.checkpoint.id = static_cast<std::uint32_t>(left);
            placed.checkpoint.flags =
                    isBorder_[position] || isForced_[position] ? hw::kCheckpointOperation : 0;
            describeContext(live, copies[left], placed);
        });
    }

    std::vector<std::vector<MemoryCopy>> copiesAtChosen() const {
        std::vector<std::vector<MemoryCopy>> found;
        MemoryCopies copies(regions_);
        std::size_t p = 0;
        for (const std::size_t position : chosen_) {
            for (; p < position; ++p) {
                copies.step(indexAt(p), at(p).payload);
            }
            found.push_back(copies.all());
        }
        return found;
    }

    /// The controller does not pass a checkpoint before all commands are finished that are expected
    /// to finish a margin before the next command begins, nor before all commands in front of the
    /// previous checkpoint. The engines then hold little beyond their present commands, two
    /// intervals at most, instead of full queues. This applies within a segment; between segments
    /// the engines are idle. Tokens do not report the progress of one long command; there the
    /// controller is held for a time.
    void limitLead(double marginCycles) {
        const std::vector<double> drained = schedule_.drainedCycles();
        std::array<std::uint32_t, hw::kEngineCount> awaited{};  // in the segment
        std::size_t finished = 0;                               // commands before this position
        std::size_t before = 0;                                 // position of the checkpoint before
        std::size_t next = 0;
        for (std::size_t p = 0; next < schedule_.checkpoints.size(); ++p) {
            if (schedule_.checkpoints[next].position == p) {
                const double begin = p == size() ? drained[p] : schedule_.startCycles[indexAt(p)];
                while (finished < before ||
                       (finished < p && drained[finished + 1] + marginCycles <= begin)) {
                    ++awaited[hw::engineIndex(at(finished++).engine)];
                }
                PlacedCheckpoint& placed = schedule_.checkpoints[next++];
                placed.waits = waitsFor(awaited);
                const double left = begin - drained[finished];
                const double hold = left - std::max(std::min(kShortHoldError * left, marginCycles),
                                                    kLongHoldError * left);
                if (hold >= marginCycles && finished < p) {
                    placed.checkpoint.holdCycles = static_cast<std::uint32_t>(
                            std::min(hold, double{std::numeric_limits<std::uint32_t>::max()}));
                }
                before = p;
            }
            if (p < size() && controlAt(p) != nullptr) {
                awaited = {};
                finished = p + 1;
            }
        }
    }

    static WaitList waitsFor(const std::array<std::uint32_t, hw::kEngineCount>& counts) {
        WaitList waits;
        for (std::uint32_t engine = 0; engine < counts.size(); ++engine) {
            // A command waits for fewer engines than there are; one engine less still limits the
            // lead.
            if (counts[engine] > 0 && waits.count < hw::kMaxWaits) {
                hw::TokenWait& wait = waits.waits[waits.count++];
                wait.engine = engine & 0xFFU;
                wait.count = counts[engine] & 0xFFFFFFU;
            }
        }
        return waits;
    }

    /// The firmware may interrupt the DSP within an operator.
    std::uint64_t dspStateBytes() const {
        const bool hasDsp = std::any_of(
                commands_.begin(), commands_.end(),
                [](const ListedCommand& command) { return command.engine == hw::Engine::kDsp; });
        return hasDsp ? fw::kSaveAlignment + hw::kMaxDspStateBytes : 0;
    }

    CheckpointSummary summarize() const {
        CheckpointSummary summary;
        const std::uint64_t dsp = dspStateBytes();
        const std::vector<double> drained = schedule_.drainedCycles();
        double passed = 0;
        double longest = 0;
        for (const PlacedCheckpoint& placed : schedule_.checkpoints) {
            ++summary.count;
            summary.saveBytes = std::max(summary.saveBytes, saveAreaBytes(placed.checkpoint) + dsp);
            longest = std::max(longest, drained[placed.position] - passed);
            passed = placed.passedCycles;
        }
        summary.longestCycles =
                static_cast<std::uint64_t>(std::max(longest, drained.back() - passed));
        return summary;
    }

    const std::vector<ListedCommand>& commands_;
    const CostModel& costs_;
    std::span<const Region> regions_;
    Schedule& schedule_;
    std::vector<std::uint32_t> steps_;  // by command
    LiveMemory entry_;
    std::vector<bool> isBorder_;         // by position: the first at which no step is half done
    std::vector<bool> isForced_;         // by position
    std::vector<std::uint64_t> toSave_;  // by position: bytes
    std::vector<std::size_t> chosen_;    // positions
};

}  // namespace

CheckpointSummary placeCheckpoints(const std::vector<ListedCommand>& commands,
                                   const CostModel& costs, std::span<const Region> regions,
                                   double intervalCycles, Schedule& schedule) {
    return CheckpointPlacer(commands, costs, regions, schedule).run(intervalCycles);
}

}  // namespace vnpu::driver
