// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/tflite_delegate/delegate_fixture.h"

#include <doctest/doctest.h>

#include <set>

namespace vnpu::sim::test {

namespace {

std::string* heard = nullptr;

void hear(const char* text) {
    *heard += text;
}

}  // namespace

DelegateHandle createDelegate(const std::vector<tflite_delegate::KeyValue>& options,
                              std::string& mistake) {
    std::vector<const char*> keys, values;
    for (const auto& [key, value] : options) {
        keys.push_back(key.c_str());
        values.push_back(value.c_str());
    }
    heard = &mistake;
    return DelegateHandle(
            tflite_plugin_create_delegate(keys.data(), values.data(), keys.size(), hear));
}

DelegateHandle createDelegate(const std::vector<tflite_delegate::KeyValue>& options) {
    std::string mistake;
    DelegateHandle delegate = createDelegate(options, mistake);
    REQUIRE_MESSAGE(delegate != nullptr, mistake);
    return delegate;
}

bool staysWithInterpreter(std::int32_t code) {
    // Calls of graphs and variables; operators of StableHLO whose options interpreters do not read.
    static const std::set<std::int32_t> kCodes = {31,  118, 119, 129, 142, 143, 144,
                                                  169, 170, 172, 191, 193, 196, 202};
    return kCodes.contains(code);
}

}  // namespace vnpu::sim::test
