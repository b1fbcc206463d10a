// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/client_reader.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/base/input_error.h"

namespace {

using namespace vnpu::sim;

const std::string kClient = "name = \"a\"\nuid = 10101\n";  // lines 1 and 2

std::vector<ClientSpec> clientsOf(const std::string& lines, std::uint64_t seed = 1) {
    const std::string file = "dir/s.toml";
    const std::filesystem::path folder = "dir";
    return readClients(parseToml(kClient + lines, file),
                       {.file = file, .folder = folder, .seed = seed});
}

std::string clientError(const std::string& lines) {
    return vnpu::sim::test::inputErrorOf([&] { clientsOf(lines); });
}

const std::string kLoop = "arrival = \"closed_loop\"\n";

TEST_SUITE_BEGIN("sim/scenario/client_reader");

TEST_CASE("each copy has its own name, UID and choices [E-4]") {
    const auto clients = clientsOf(
            "model = [\"zoo:x\", \"m.tflite\"]\nbatch = [1, 4]\npriority = [\"low\", "
            "\"high\"]\ncopies = 200\n" +
            kLoop);
    REQUIRE(clients.size() == 200);
    CHECK(clients[0].name == "a-1");
    CHECK(clients[0].uid == 10101);
    CHECK(clients[199].name == "a-200");
    CHECK(clients[199].uid == 10300);
    std::map<std::string, int> kinds;
    for (const ClientSpec& client : clients) {
        CHECK(client.modelSource == (client.model == "zoo:x" ? "zoo:x" : "dir/m.tflite"));
        ++kinds[client.model + std::to_string(client.batch) + std::string(nameOf(client.priority))];
    }
    // Eight kinds, 25 of each on average.
    CHECK(kinds.size() == 8);
    for (const auto& kind : kinds) {
        CHECK_MESSAGE(kind.second >= 10, kind.first);
    }
}

TEST_CASE("choices depend on the seed [E-4]") {
    const std::string lines = "model = \"zoo:x\"\nbatch = [1, 2, 3, 4, 5, 6, 7, 8]\n" + kLoop;
    CHECK(clientsOf(lines, 5)[0].batch == clientsOf(lines, 5)[0].batch);
    std::set<std::uint32_t> batches;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        batches.insert(clientsOf(lines, seed)[0].batch);
    }
    CHECK(batches == std::set<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("without copies the name stays as it is") {
    const auto clients = clientsOf("model = \"zoo:x\"\n" + kLoop);
    REQUIRE(clients.size() == 1);
    CHECK(clients[0].name == "a");
    CHECK(clients[0].batch == 1);
    CHECK(clients[0].priority == ClientPriority::kMedium);
}

TEST_CASE("empty lists and numbers out of range are refused") {
    CHECK(clientError("model = []\n" + kLoop) ==
          "dir/s.toml:3: client.model is an empty list, expected a value or a list of them");
    CHECK(clientError("model = \"zoo:x\"\nbatch = [4, 0]\n" + kLoop) ==
          "dir/s.toml:4: client.batch is 0, expected 1 to 1024");
    CHECK(clientError("model = \"zoo:x\"\ncopies = 0\n" + kLoop) ==
          "dir/s.toml:4: client.copies is 0, expected 1 to 1000");
    CHECK(clientError("model = \"zoo:x\"\npriority = [\"low\", \"hi\"]\n" + kLoop)
                  .find("dir/s.toml:4: client.priority is \"hi\", expected one of low, medium, "
                        "high") == 0);
}

TEST_CASE("expected failures are a number, or the least and the most") {
    const std::string model = "model = \"zoo:x\"\n";
    CHECK(clientsOf(model + kLoop)[0].mostFailures == 0);
    const ClientSpec one = clientsOf(model + "expected_failures = 3\n" + kLoop)[0];
    CHECK(one.leastFailures == 3);
    CHECK(one.mostFailures == 3);
    const ClientSpec two = clientsOf(model + "expected_failures = [1, 4]\n" + kLoop)[0];
    CHECK(two.leastFailures == 1);
    CHECK(two.mostFailures == 4);
    CHECK(clientError(model + "expected_failures = [4, 1]\n" + kLoop) ==
          "dir/s.toml:4: client.expected_failures is [4, 1], expected one number, or the least "
          "and the most");
    CHECK_FALSE(clientError(model + "expected_failures = [1, 2, 3]\n" + kLoop).empty());
    CHECK_FALSE(clientError(model + "expected_failures = -1\n" + kLoop).empty());
}

TEST_CASE("a deadline is a time or a factor of the isolated time") {
    const auto clients = clientsOf("model = \"zoo:x\"\ndeadline_factor = 2.5\n" + kLoop);
    CHECK(clients[0].deadlineFactor == 2.5);
    CHECK(clients[0].deadlineNs == 0);
    CHECK(clientError("model = \"zoo:x\"\ndeadline = \"1 ms\"\ndeadline_factor = 2\n" + kLoop) ==
          "dir/s.toml:5: client.deadline_factor is given together with deadline, expected one "
          "of the "
          "two");
    CHECK(clientError("model = \"zoo:x\"\ndeadline_factor = 0.0\n" + kLoop) ==
          "dir/s.toml:4: client.deadline_factor is 0, expected above 0 to 1000000");
}

TEST_CASE("the preference is NNAPI's, by default fast") {
    CHECK(clientsOf("model = \"zoo:x\"\n" + kLoop)[0].preference == ClientPreference::kFast);
    CHECK(clientsOf("model = \"zoo:x\"\npreference = \"low_power\"\n" + kLoop)[0].preference ==
          ClientPreference::kLowPower);
    CHECK(clientsOf("model = \"zoo:x\"\npreference = \"sustained\"\n" + kLoop)[0].preference ==
          ClientPreference::kSustained);
    CHECK(clientError("model = \"zoo:x\"\npreference = \"slow\"\n" + kLoop)
                  .find("dir/s.toml:4: client.preference is \"slow\", expected one of "
                        "low_power, fast, sustained") == 0);
}

TEST_CASE("a burst supports neither deadline nor state [B-1]") {
    CHECK(clientError("model = \"zoo:x\"\npath = \"burst\"\ndeadline = \"1 ms\"\n" + kLoop) ==
          "dir/s.toml:5: client.deadline is not allowed with path = \"burst\", expected none: "
          "a "
          "burst cannot carry it");
    CHECK(clientError("model = \"zoo:x\"\npath = \"burst\"\nstate = [[1, 1]]\n" + kLoop)
                  .find("dir/s.toml:5: client.state is not allowed with path = \"burst\"") == 0);
}

TEST_CASE("uniform arrivals need a window and a count") {
    const std::string uniform = "model = \"zoo:x\"\narrival = \"uniform\"\n";
    const auto clients = clientsOf(uniform + "window = \"5 ms\"\ncount = 3\n");
    CHECK(clients[0].windowNs == 5'000'000);
    CHECK(clients[0].count == 3);
    CHECK(clientError(uniform + "count = 3\n").find("client.window is missing") !=
          std::string::npos);
    CHECK(clientError(uniform + "window = \"5 ms\"\n").find("client.count is missing") !=
          std::string::npos);
}

TEST_CASE("a jitter is at most a period") {
    const std::string periodic =
            "model = \"zoo:x\"\narrival = \"periodic\"\nrate_hz = 100\njitter = ";
    CHECK(clientsOf(periodic + "\"10 ms\"\n")[0].jitterNs == 10'000'000);
    CHECK(clientError(periodic + "\"11 ms\"\n") ==
          "dir/s.toml:6: client.jitter is 11000000 ns, expected at most the period of 10000000 "
          "ns");
}

TEST_CASE("an unreadable trace is reported at its key") {
    CHECK(clientError("model = \"zoo:x\"\narrival = \"trace\"\ntrace = \"none.txt\"\n") ==
          "dir/s.toml:5: client.trace dir/none.txt can't be read, expected a file with one "
          "time "
          "a line");
}

TEST_CASE("keys of other arrivals are refused") {
    CHECK(clientError("model = \"zoo:x\"\nwindow = \"5 ms\"\n" + kLoop) ==
          "dir/s.toml:4: client.window is not allowed with arrival = \"closed_loop\", expected "
          "it "
          "with \"uniform\" only");
}

TEST_SUITE_END();

}  // namespace
