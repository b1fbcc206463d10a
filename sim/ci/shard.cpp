// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kMostShards = 100'000;  // chosen: more is a typing mistake

constexpr std::size_t kNone = SIZE_MAX;

/// The number that the text is, or kNone.
std::size_t numberOf(std::string_view text) {
    std::size_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    return error == std::errc() && end == last ? value : kNone;
}

Shard ofOption(const std::string& option) {
    const std::string_view text = option;
    const std::size_t slash = text.find('/');
    const std::size_t index = numberOf(text.substr(0, slash));
    const std::size_t count = slash == text.npos ? kNone : numberOf(text.substr(slash + 1));
    if (index < 1 || index > count || count > kMostShards) {
        throw InputError(fmt::format("--shard {}: expected I/N, from 1/N to N/N, N at most {}",
                                     option, kMostShards));
    }
    return {index - 1, count};
}

Shard ofEnvironment() {
    const char* const total = std::getenv("GTEST_TOTAL_SHARDS");
    const char* const number = std::getenv("GTEST_SHARD_INDEX");
    if (total == nullptr && number == nullptr) {
        return {};
    }
    const std::size_t count = numberOf(total == nullptr ? "" : total);
    const std::size_t index = numberOf(number == nullptr ? "" : number);
    if (index >= count || count > kMostShards) {
        throw InputError(
                fmt::format("GTEST_SHARD_INDEX is \"{}\" and GTEST_TOTAL_SHARDS is \"{}\", "
                            "expected numbers from 0 and 1, the former below the latter",
                            number == nullptr ? "" : number, total == nullptr ? "" : total));
    }
    if (const char* const status = std::getenv("GTEST_SHARD_STATUS_FILE")) {
        const std::ofstream touched(status, std::ios::app);
    }
    return {index, count};
}

}  // namespace

Shard shardOf(const std::string& option) {
    return option.empty() ? ofEnvironment() : ofOption(option);
}

}  // namespace vnpu::sim
