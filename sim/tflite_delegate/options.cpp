// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>

#include "sim/base/error.h"

namespace vnpu::sim::tflite_delegate {

namespace {

[[noreturn]] void refuse(const KeyValue& given, const std::string& expected) {
    throw InputError(
            fmt::format("option {} is \"{}\", expected {}", given.first, given.second, expected));
}

/// One of some words, and what it stands for.
template <typename Value>
struct Word {
    const char* text;
    Value value;
};

template <typename Value>
Value oneOf(const KeyValue& given, std::span<const Word<Value>> words) {
    std::string lower = given.second;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<std::string> texts;
    for (const Word<Value>& word : words) {
        if (lower == word.text) {
            return word.value;
        }
        texts.emplace_back(word.text);
    }
    refuse(given, fmt::format("one of {}", fmt::join(texts, ", ")));
}

void setPriority(Options& options, const KeyValue& given) {
    constexpr Word<nn::Priority> kWords[] = {{"low", nn::Priority::LOW},
                                             {"medium", nn::Priority::MEDIUM},
                                             {"high", nn::Priority::HIGH}};
    options.priority = oneOf<nn::Priority>(given, kWords);
}

void setPreference(Options& options, const KeyValue& given) {
    using Preference = nn11::ExecutionPreference;
    constexpr Word<Preference> kWords[] = {{"low_power", Preference::LOW_POWER},
                                           {"fast_single_answer", Preference::FAST_SINGLE_ANSWER},
                                           {"sustained_speed", Preference::SUSTAINED_SPEED}};
    options.preference = oneOf<Preference>(given, kWords);
}

void setLog(Options& options, const KeyValue& given) {
    constexpr Word<LogLevel> kWords[] = {
            {"none", LogLevel::kNone}, {"error", LogLevel::kError}, {"info", LogLevel::kInfo}};
    options.log = oneOf<LogLevel>(given, kWords);
}

void setTimeout(Options& options, const KeyValue& given) {
    constexpr std::uint32_t kMost = 86'400'000;  // chosen: a day
    std::uint32_t milliseconds = 0;
    const std::string& text = given.second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    if (error != std::errc() || end != text.data() + text.size() || milliseconds == 0 ||
        milliseconds > kMost) {
        refuse(given, fmt::format("milliseconds, 1 to {}", kMost));
    }
    options.timeout = std::chrono::milliseconds(milliseconds);
}

template <bool Options::*member>
void setTruth(Options& options, const KeyValue& given) {
    // Python gives truths by their names.
    constexpr Word<bool> kWords[] = {{"0", false}, {"1", true}, {"false", false}, {"true", true}};
    options.*member = oneOf<bool>(given, kWords);
}

template <std::string Options::*member>
void setText(Options& options, const KeyValue& given) {
    if (given.second.empty()) {
        refuse(given, "a value");
    }
    options.*member = given.second;
}

struct Key {
    const char* name;
    void (*set)(Options& options, const KeyValue& given);
};

constexpr Key kKeys[] = {
        {"allow_dynamic_tensors", setTruth<&Options::takesDynamic>},
        {"allow_fp16", setTruth<&Options::mayUseHalf>},
        {"cache_dir", setText<&Options::cacheFolder>},
        {"cache_token", setText<&Options::cacheToken>},
        {"config", setText<&Options::config>},
        {"log", setLog},
        {"pace", setText<&Options::pace>},
        {"preference", setPreference},
        {"priority", setPriority},
        {"report", setText<&Options::reportFile>},
        {"service", setText<&Options::service>},
        {"socket", setText<&Options::socket>},
        {"timeout_ms", setTimeout},
};

}  // namespace

Options parseOptions(const std::vector<KeyValue>& given) {
    Options options;
    bool hasDevice = false;
    for (const KeyValue& pair : given) {
        const auto* key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                       [&](const Key& k) { return pair.first == k.name; });
        if (key == std::end(kKeys)) {
            throw InputError(fmt::format("there is no option \"{}\", expected one of {}",
                                         pair.first, fmt::join(optionKeys(), ", ")));
        }
        key->set(options, pair);
        hasDevice = hasDevice || pair.first == "config" || pair.first == "pace";
    }
    if (hasDevice && !options.socket.empty()) {
        throw InputError(
                "options config and pace are for a device in this process, socket is for one of "
                "a service, expected one or the other");
    }
    if (!options.service.empty() && options.socket.empty()) {
        throw InputError("option service names a device of a service, expected a socket, too");
    }
    if (!options.cacheToken.empty() && options.cacheFolder.empty()) {
        throw InputError("option cache_token is given, expected a cache_dir, too");
    }
    return options;
}

std::vector<std::string> optionKeys() {
    std::vector<std::string> names;
    for (const Key& key : kKeys) {
        names.emplace_back(key.name);
    }
    return names;
}

}  // namespace vnpu::sim::tflite_delegate
