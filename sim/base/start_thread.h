// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace vnpu::sim {

/// Starts a thread; throws a sentence with its purpose if the system has none.
template <typename Body>
std::thread startThread(std::string_view purpose, Body&& body) {
    try {
        return std::thread(std::forward<Body>(body));
    } catch (const std::system_error& error) {
        throw std::runtime_error(fmt::format("no thread for {}: {}", purpose, error.what()));
    }
}

}  // namespace vnpu::sim
