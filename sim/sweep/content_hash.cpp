// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/content_hash.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <fstream>

#include "sim/report/config_json.h"

namespace vnpu::sim {

namespace {

constexpr std::string_view kFormat = "vnpu sweep 2";  // rises when stored results change meaning

void addModel(ContentHash& hash, const ClientSpec& client) {
    if (!client.modelSource.starts_with("zoo:")) {
        hash.addFile(client.modelSource);
    }
}

}  // namespace

ContentHash& ContentHash::add(std::string_view text) {
    // Preceded by its length, so that two texts never have the bytes of one.
    digest_.add(fmt::format("{}:", text.size()));
    digest_.add(text);
    return *this;
}

ContentHash& ContentHash::addFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 65536> buffer{};
    std::size_t count = 1;
    while (in && count != 0) {
        in.read(buffer.data(), buffer.size());
        count = static_cast<std::size_t>(in.gcount());
        add(std::string_view(buffer.data(), count));
    }
    return *this;
}

std::string ContentHash::finish() {
    std::string text;
    for (const std::uint8_t byte : digest_.finish()) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

std::string programHash(const std::string& program) {
    return ContentHash().addFile(program).finish();
}

std::string isolatedHash(const std::string& program, const ClientSpec& client,
                         const hw::NpuConfig& config) {
    ContentHash hash;
    hash.add(kFormat).add(program).add("isolated").add(isolatedKey(client));
    hash.add(configJson(config).dump());
    addModel(hash, client);
    return hash.finish();
}

std::string pointHash(const std::string& program, std::string_view scenarioText,
                      const Scenario& scenario, const hw::NpuConfig& config,
                      const IsolatedTimes& isolated) {
    ContentHash hash;
    hash.add(kFormat).add(program).add("point").add(scenarioText);
    hash.add(fmt::format("{}", scenario.seed)).add(configJson(config).dump());
    for (const ClientSpec& client : scenario.clients) {
        addModel(hash, client);
        hash.add(fmt::format("{}", isolated.of(client)));
        for (const std::uint64_t time : client.traceNs) {
            hash.add(fmt::format("{}", time));
        }
    }
    return hash.finish();
}

}  // namespace vnpu::sim
