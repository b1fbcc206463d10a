// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/options.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/sim/import/tflite_fixture.h"
#include "tests/sim/tflite_delegate/delegate_fixture.h"
#include "tests/sim/tflite_delegate/fake_interpreter.h"

namespace {

using vnpu::sim::InputError;
using vnpu::sim::tflite_delegate::KeyValue;
using vnpu::sim::tflite_delegate::LogLevel;
using vnpu::sim::tflite_delegate::Options;
using vnpu::sim::tflite_delegate::parseOptions;

std::string mistakeOf(const std::vector<KeyValue>& given) {
    try {
        parseOptions(given);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_SUITE_BEGIN("sim/tflite_delegate/options");

TEST_CASE("every option has its key") {
    const Options options = parseOptions({{"socket", "/run/vnpu.sock"},
                                          {"service", "vnpu-mobile"},
                                          {"priority", "high"},
                                          {"preference", "low_power"},
                                          {"timeout_ms", "250"},
                                          {"cache_dir", "/tmp/cache"},
                                          {"cache_token", "net-7"},
                                          {"allow_fp16", "True"},
                                          {"allow_dynamic_tensors", "1"},
                                          {"log", "info"},
                                          {"report", "-"}});
    CHECK(options.socket == "/run/vnpu.sock");
    CHECK(options.service == "vnpu-mobile");
    CHECK(options.priority == vnpu::sim::nn::Priority::HIGH);
    CHECK(options.preference == vnpu::sim::nn11::ExecutionPreference::LOW_POWER);
    CHECK(options.timeout == std::chrono::milliseconds(250));
    CHECK(options.cacheFolder == "/tmp/cache");
    CHECK(options.cacheToken == "net-7");
    CHECK(options.mayUseHalf);
    CHECK(options.takesDynamic);
    CHECK(options.log == LogLevel::kInfo);
    CHECK(options.reportFile == "-");
    const Options local = parseOptions({{"config", "mobile"}, {"pace", "realtime"}});
    CHECK(local.config == "mobile");
    CHECK(local.pace == "realtime");
    CHECK(parseOptions({}).config == "edge");
}

TEST_CASE("a mistake has the key, the value and what was expected") {
    CHECK(mistakeOf({{"colour", "red"}})
                  .starts_with("there is no option \"colour\", expected one of "
                               "allow_dynamic_tensors, allow_fp16, "));
    CHECK(mistakeOf({{"priority", "urgent"}}) ==
          "option priority is \"urgent\", expected one of low, medium, high");
    CHECK(mistakeOf({{"timeout_ms", "0"}}) ==
          "option timeout_ms is \"0\", expected milliseconds, 1 to 86400000");
    CHECK(mistakeOf({{"timeout_ms", "12x"}}) ==
          "option timeout_ms is \"12x\", expected milliseconds, 1 to 86400000");
    CHECK(mistakeOf({{"allow_fp16", "yes"}}) ==
          "option allow_fp16 is \"yes\", expected one of 0, 1, false, true");
    CHECK(mistakeOf({{"config", ""}}) == "option config is \"\", expected a value");
    CHECK(mistakeOf({{"config", "edge"}, {"socket", "/s"}}).starts_with("options config and pace"));
    CHECK(mistakeOf({{"service", "vnpu-edge"}}).ends_with("expected a socket, too"));
    CHECK(mistakeOf({{"cache_token", "t"}}).ends_with("expected a cache_dir, too"));
}

TEST_CASE("the plugin reports a mistake and gives no delegate") {
    std::string mistake;
    CHECK(vnpu::sim::test::createDelegate({{"colour", "red"}}, mistake) == nullptr);
    CHECK(mistake.starts_with("vnpu: there is no option \"colour\""));
    mistake.clear();
    CHECK(vnpu::sim::test::createDelegate({{"config", "no_such"}}, mistake) == nullptr);
    CHECK(mistake.find("no_such") != std::string::npos);
    mistake.clear();
    CHECK(vnpu::sim::test::createDelegate({{"socket", "/no/such/socket"}}, mistake) == nullptr);
    CHECK(mistake.find("/no/such/socket") != std::string::npos);
    tflite_plugin_destroy_delegate(nullptr);
}

TEST_CASE("without a listener, a mistake becomes a delegate that refuses graphs with the reason") {
    const vnpu::sim::test::DelegateHandle delegate(
            tflite_plugin_create_delegate(nullptr, nullptr, 1, nullptr));
    REQUIRE(delegate != nullptr);
    vnpu::sim::test::FakeInterpreter interpreter(vnpu::sim::test::convolutionFile().bytes());
    CHECK(interpreter.apply(*delegate) == vnpu::sim::tflite_abi::kTfLiteError);
    CHECK(interpreter.errors() ==
          std::vector<std::string>{"vnpu: an option has no key or no value"});
    CHECK(interpreter.plan() == std::vector<int>{0});
}

TEST_SUITE_END();
