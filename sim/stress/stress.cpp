// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/stress.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <utility>

#include "sim/base/app_uid.h"
#include "sim/stress/held_counts.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kThreadsPerApp = 4;  // chosen: objects are shared within an app only
constexpr std::uint64_t kProgressStep = 64;  // chosen: often enough for a progress line

HeldResources heldBy(LivePlatform& platform) {
    const std::filesystem::directory_iterator descriptors("/proc/self/fd");
    return {.descriptors =
                    static_cast<std::uint64_t>(std::distance(begin(descriptors), end(descriptors))),
            .driver = driver::countersOf(platform.device())};
}

}  // namespace

std::vector<std::string> StressReport::leaks() const {
    std::vector<HeldCount> counts = heldCounts(before.driver, after.driver);
    counts.insert(counts.begin(), {"descriptors", before.descriptors, after.descriptors});
    std::vector<std::string> lines;
    for (const HeldCount& count : counts) {
        if (count.after != count.before) {
            lines.push_back(describe(count));
        }
    }
    return lines;
}

StressReport runStress(LivePlatform& platform, const StressOptions& options) {
    const std::vector<StressModel> models = makeStressModels();
    StressReport report;
    report.before = heldBy(platform);
    {
        const std::uint32_t apps = (options.threads + kThreadsPerApp - 1) / kThreadsPerApp;
        std::vector<StressObjects> shared(apps);
        std::mutex mutex;  // guards report.tally
        std::atomic<std::uint64_t> done{0};
        std::vector<LivePlatform::Client> clients;
        for (std::uint32_t i = 0; i < options.threads; ++i) {
            const std::uint32_t app = i / kThreadsPerApp;
            clients.push_back({fmt::format("thread {}", i), kFirstAppUid + app,
                               [&, i, app](ClientContext& context) {
                                   StressClient client(context, models, shared[app],
                                                       Random(options.seed + i).next());
                                   for (std::uint64_t n = 0; n < options.callsPerThread; ++n) {
                                       client.step();
                                       if (++done % kProgressStep == 0 && options.onProgress) {
                                           options.onProgress(done);
                                       }
                                   }
                                   const std::lock_guard guard(mutex);
                                   report.tally.add(client.tally());
                               }});
        }
        platform.run(clients);
    }
    report.after = heldBy(platform);
    return report;
}

}  // namespace vnpu::sim
