// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/time_shares.h"

#include <algorithm>
#include <array>

namespace vnpu::driver {
namespace {

/// The commands that the engines began last.
class ActiveSpans {
  public:
    void begin(const EngineSpan& span) { last_[hw::engineIndex(span.engine)] = &span; }

    /// The span to which the time from `now` to the next begin or end of a span belongs; null if no
    /// engine works.
    const EngineSpan* owner(std::uint64_t now) const {
        using hw::Engine;
        for (const Engine engine : {Engine::kMac, Engine::kVector, Engine::kDsp}) {
            if (const EngineSpan* const span = activeAt(engine, now)) {
                return span;
            }
        }
        const EngineSpan* first = nullptr;
        for (const Engine engine :
             {Engine::kDma0, Engine::kDma1, Engine::kDma2, Engine::kDma3, Engine::kController}) {
            const EngineSpan* const span = activeAt(engine, now);
            if (span != nullptr && (first == nullptr || span->operation < first->operation)) {
                first = span;
            }
        }
        return first;
    }

  private:
    const EngineSpan* activeAt(hw::Engine engine, std::uint64_t now) const {
        const EngineSpan* const span = last_[hw::engineIndex(engine)];
        return span != nullptr && span->end > now ? span : nullptr;
    }

    std::array<const EngineSpan*, hw::kEngineCount> last_{};
};

/// The moments at which the owner of the time may change, in order.
std::vector<std::uint64_t> borders(const std::vector<EngineSpan>& spans, std::uint64_t begin,
                                   std::uint64_t end) {
    std::vector<std::uint64_t> moments{begin, end};
    for (const EngineSpan& span : spans) {
        moments.push_back(std::clamp(span.begin, begin, end));
        moments.push_back(std::clamp(span.end, begin, end));
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

}  // namespace

std::vector<std::uint64_t> timeShares(std::vector<EngineSpan> spans, std::size_t operations,
                                      std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> shares(operations + 1, 0);
    std::stable_sort(spans.begin(), spans.end(),
                     [](const EngineSpan& a, const EngineSpan& b) { return a.begin < b.begin; });
    const std::vector<std::uint64_t> moments = borders(spans, begin, std::max(begin, end));
    ActiveSpans active;
    auto next = spans.begin();
    for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
        for (; next != spans.end() && next->begin <= moments[i]; ++next) {
            active.begin(*next);
        }
        const EngineSpan* owner = active.owner(moments[i]);
        if (owner == nullptr && next != spans.end()) {
            owner = &*next;
        }
        const std::size_t operation = owner == nullptr ? operations : owner->operation;
        shares[std::min(operation, operations)] += moments[i + 1] - moments[i];
    }
    return shares;
}

}  // namespace vnpu::driver
