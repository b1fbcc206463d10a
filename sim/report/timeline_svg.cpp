// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/report/svg.h"
#include "sim/trace/power_label.h"

namespace vnpu::sim {

namespace {

constexpr int kWidth = 1200;
constexpr int kLabelWidth = 110;
constexpr int kRowHeight = 26;
constexpr int kBarHeight = 18;
constexpr int kTop = 34;
constexpr int kBottom = 30;
constexpr int kPlotWidth = kWidth - kLabelWidth - 30;

// Neighboring operations of a network have clearly different colors; text stays readable beside
// them.
constexpr std::array<const char*, 10> kPalette = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759",
                                                  "#76b7b2", "#edc948", "#b07aa1", "#ff9da7",
                                                  "#9c755f", "#86bcb6"};
constexpr std::uint32_t kGray = kPalette.size();

const char* colorOf(std::uint32_t index) {
    return index == kGray ? "#8a8f98" : kPalette[index % kPalette.size()];
}

/// Distance of the vertical lines: 1, 2 or 5 times a power of ten, about ten of them.
std::uint64_t gridStep(std::uint64_t shownNs) {
    std::uint64_t decade = 1;
    while (decade * 100 <= shownNs) {
        decade *= 10;
    }
    for (const std::uint64_t factor : {1U, 2U, 5U}) {
        if (shownNs / (decade * factor) <= 12) {
            return decade * factor;
        }
    }
    return decade * 10;
}

}  // namespace

void TimelineSvg::onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) {
    config_ = config;
    clients_ = clients;
    for (const ClientInfo& client : clients) {
        clientRows_.push_back({client.name, {}});
    }
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        engineRows_.push_back({std::string(hw::engineName(static_cast<hw::Engine>(i))), {}});
    }
    interrupts_.label = "irq";
    power_.label = "power";
}

void TimelineSvg::addBar(Row& row, Bar bar) const {
    // Half a pixel of the picture: smaller gaps are not visible.
    const std::uint64_t invisibleNs = lengthNs_ / (std::uint64_t{2} * kPlotWidth);
    if (!row.bars.empty()) {
        Bar& last = row.bars.back();
        if (last.title == bar.title && bar.fromNs <= last.toNs + invisibleNs) {
            last.toNs = std::max(last.toNs, bar.toNs);
            return;
        }
    }
    row.bars.push_back(std::move(bar));
}

void TimelineSvg::onCallBegin(const CallEvent& event) {
    if (isOpen(event.timeNs)) {
        openCalls_.push_back(event);
    }
}

void TimelineSvg::onCallEnd(const CallEvent& event) {
    const auto begin =
            std::find_if(openCalls_.begin(), openCalls_.end(),
                         [&](const CallEvent& open) { return open.callId == event.callId; });
    if (begin == openCalls_.end()) {
        return;
    }
    if (begin->client < clientRows_.size()) {
        addBar(clientRows_[begin->client],
               {begin->timeNs, event.timeNs, begin->client, begin->method});
    }
    openCalls_.erase(begin);
}

void TimelineSvg::onJobSubmitted(const JobInfo& job) {
    if (!hasStarted_) {
        hasStarted_ = true;
        // Shows some of the events before the first job.
        startNs_ = job.submitNs - std::min(job.submitNs, lengthNs_ / 50);
    }
}

void TimelineSvg::onEngineCommand(const EngineEvent& event) {
    if (!isOpen(event.startNs)) {
        return;
    }
    const std::uint32_t operation = event.record.operation;
    std::string title = "command";
    std::uint32_t color = kGray;
    if (event.job != nullptr && operation < event.job->model->operations.size()) {
        const std::string client =
                event.job->client < clients_.size() ? clients_[event.job->client].name + " " : "";
        title = fmt::format("{}{} #{}", client, event.job->model->operations[operation].type,
                            operation);
        color = operation % kPalette.size();
    }
    addBar(engineRows_[hw::engineIndex(event.record.engine)],
           {event.startNs, event.endNs, color, std::move(title)});
}

void TimelineSvg::onInterruptLine(std::uint64_t timeNs, bool level) {
    if (isLineHigh_ && !level && isOpen(lineRaisedNs_)) {
        addBar(interrupts_, {lineRaisedNs_, timeNs, kGray, "interrupt"});
    }
    isLineHigh_ = level;
    lineRaisedNs_ = timeNs;
}

void TimelineSvg::onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                               std::uint32_t level) {
    addPowerBar(timeNs);
    hasPowerChanged_ = hasPowerChanged_ || (hasStarted_ && isOpen(timeNs));
    powerState_ = state;
    clockLevel_ = level;
    powerSinceNs_ = timeNs;
}

void TimelineSvg::addPowerBar(std::uint64_t timeNs) {
    if (!isOpen(powerSinceNs_) || (hasStarted_ && timeNs < startNs_)) {
        return;
    }
    const bool isActive = powerState_ == hw::regs::PowerState::kActive;
    addBar(power_, {powerSinceNs_, timeNs, isActive ? clockLevel_ : kGray,
                    powerLabel(config_, powerState_, clockLevel_)});
}

void TimelineSvg::onEnd(std::uint64_t timeNs) {
    addPowerBar(timeNs);
    for (const CallEvent& open : openCalls_) {
        if (open.client < clientRows_.size()) {
            addBar(clientRows_[open.client], {open.timeNs, timeNs, open.client, open.method});
        }
    }
    openCalls_.clear();
}

std::string TimelineSvg::render() const {
    std::vector<const Row*> rows;
    for (const Row& row : clientRows_) {
        rows.push_back(&row);
    }
    for (const Row& row : engineRows_) {
        if (!row.bars.empty()) {
            rows.push_back(&row);
        }
    }
    rows.push_back(&interrupts_);
    if (hasPowerChanged_) {
        rows.push_back(&power_);
    }
    const int height = kTop + kRowHeight * static_cast<int>(rows.size()) + kBottom;
    // Cuts off an idle end of the window.
    std::uint64_t lastNs = startNs_ + 1;
    for (const Row* row : rows) {
        for (const Bar& bar : row->bars) {
            lastNs = std::max(lastNs, bar.toNs);
        }
    }
    const std::uint64_t shownNs = std::min(lengthNs_, (lastNs - startNs_) / 100 * 102 + 1);
    const double pixelsPerNs = static_cast<double>(kPlotWidth) / static_cast<double>(shownNs);
    const auto x = [&](std::uint64_t timeNs) {
        const auto fromStart = static_cast<double>(timeNs) - static_cast<double>(startNs_);
        return kLabelWidth +
               std::clamp(fromStart * pixelsPerNs, 0.0, static_cast<double>(kPlotWidth));
    };

    std::string svg;
    auto out = std::back_inserter(svg);
    fmt::format_to(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                   "viewBox=\"0 0 {0} {1}\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n"
                   "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
                   "<text x=\"{2}\" y=\"20\" fill=\"#333333\">device {3}, {4:.1f} ms from {5:.3f} "
                   "ms on; one color per "
                   "model operation</text>\n",
                   kWidth, height, kLabelWidth, svgEscape(config_.name),
                   static_cast<double>(shownNs) * 1e-6, static_cast<double>(startNs_) * 1e-6);
    const std::uint64_t stepNs = gridStep(shownNs);
    for (std::uint64_t timeNs = 0; timeNs <= shownNs; timeNs += stepNs) {
        fmt::format_to(
                out,
                "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#dddddd\"/>\n",
                x(startNs_ + timeNs), kTop, height - kBottom);
        fmt::format_to(out,
                       "<text x=\"{:.1f}\" y=\"{}\" fill=\"#666666\" text-anchor=\"middle\">{:g} "
                       "ms</text>\n",
                       x(startNs_ + timeNs), height - kBottom + 16,
                       static_cast<double>(timeNs) * 1e-6);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int y = kTop + kRowHeight * static_cast<int>(i);
        fmt::format_to(out,
                       "<text x=\"{}\" y=\"{}\" fill=\"#333333\" text-anchor=\"end\">{}</text>\n",
                       kLabelWidth - 8, y + 17, svgEscape(rows[i]->label));
        for (const Bar& bar : rows[i]->bars) {
            const double from = x(bar.fromNs);
            const double to = x(bar.toNs);
            if (bar.toNs < startNs_ || bar.fromNs > startNs_ + shownNs) {
                continue;
            }
            fmt::format_to(out,
                           "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" "
                           "fill=\"{}\"><title>{} "
                           "({:.1f} us)</title></rect>\n",
                           from, y + (kRowHeight - kBarHeight) / 2, std::max(to - from, 0.5),
                           kBarHeight, colorOf(bar.color), svgEscape(bar.title),
                           static_cast<double>(bar.toNs - bar.fromNs) * 1e-3);
        }
    }
    svg += "</svg>\n";
    return svg;
}

}  // namespace vnpu::sim
