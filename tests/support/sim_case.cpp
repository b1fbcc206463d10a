// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sim_case.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <systemc>
#include <vector>

// The environment of the calling process; POSIX has no header for it.
extern char** environ;

namespace {

bool isLeakCheckOff = false;

}  // namespace

// LeakSanitizer asks this function, if the program has it.
extern "C" int __lsan_is_turned_off();  // NOLINT: the sanitizer's name
extern "C" int __lsan_is_turned_off() {
    return isLeakCheckOff ? 1 : 0;
}

namespace vnpu::test {

namespace {

constexpr const char* kChildVariable = "VNPU_SIM_CASE_CHILD";
// Proves that the child's filter found the case.
constexpr const char* kRanMark = "[sim case ran]";
// chosen: many times the longest case under a sanitizer; of processor time, as a busy machine
// gives a case little of it
constexpr std::chrono::seconds kChildLimit{600};
// A child that uses less than a hundredth of such a time waits for what does not come.
constexpr std::chrono::seconds kWindow{300};
constexpr std::chrono::seconds kLeastInWindow{3};

void failOnReport(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() != sc_core::SC_INFO) {
        ADD_FAIL_CHECK_AT(report.get_file_name(), report.get_line_number(),
                          std::string(report.what()));
    }
    sc_core::sc_actions quiet = actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY);
    sc_core::sc_report_handler::default_handler(report, quiet);
}

std::string escapeFilter(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == ',' || c == '\\') {
            escaped += '\\';
        }
        escaped += c;
    }
    return escaped;
}

struct ChildResult {
    int status = 0;
    bool isTimedOut = false;
    std::string output;
};

std::chrono::nanoseconds processorTime(pid_t child) {
    clockid_t clock{};
    timespec used{};
    REQUIRE(clock_getcpuclockid(child, &clock) == 0);
    REQUIRE(clock_gettime(clock, &used) == 0);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Reads until the child closes its end, or until it has used too much or too little time.
bool readAll(int descriptor, pid_t child, std::string& output) {
    auto windowEnd = std::chrono::steady_clock::now() + kWindow;
    std::chrono::nanoseconds usedBefore{};
    std::array<char, 4096> buffer;
    while (true) {
        const auto used = processorTime(child);
        if (used >= kChildLimit) {
            return false;
        }
        if (std::chrono::steady_clock::now() >= windowEnd) {
            if (used - usedBefore < kLeastInWindow) {
                return false;
            }
            usedBefore = used;
            windowEnd += kWindow;
        }
        constexpr int kPollMs = 1000;
        pollfd waiter{descriptor, POLLIN, 0};
        const int ready = poll(&waiter, 1, kPollMs);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t count = read(descriptor, buffer.data(), buffer.size());
        if (count <= 0) {
            return true;
        }
        output.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

ChildResult runChild(std::vector<std::string> arguments) {
    std::array<int, 2> pipeEnds{};
    REQUIRE(pipe(pipeEnds.data()) == 0);
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    std::string mark = std::string(kChildVariable) + "=1";
    std::string quiet = "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1";
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        environment.push_back(*entry);
    }
    environment.insert(environment.end(), {mark.data(), quiet.data(), nullptr});

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipeEnds[0]);
    posix_spawn_file_actions_addclose(&actions, pipeEnds[1]);
    pid_t child = 0;
    const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(),
                                  environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(pipeEnds[1]);
    REQUIRE(error == 0);

    ChildResult result;
    result.isTimedOut = !readAll(pipeEnds[0], child, result.output);
    close(pipeEnds[0]);
    if (result.isTimedOut) {
        kill(child, SIGKILL);
    }
    while (waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
    }
    return result;
}

}  // namespace

void skipLeakCheck() {
    isLeakCheckOff = true;
}

void simCase(const std::function<void()>& body) {
    if (std::getenv(kChildVariable) != nullptr) {
        sc_core::sc_report_handler::set_handler(failOnReport);
        body();
        std::puts(kRanMark);
        return;
    }
    const doctest::detail::TestCase* const present = doctest::getContextOptions()->currentTest;
    const ChildResult result =
            runChild({"vnpu_tests", "--test-case=" + escapeFilter(present->m_name),
                      "--test-suite=" + escapeFilter(present->m_test_suite), "--no-version",
                      "--case-sensitive", "--no-skip"});
    CHECK_FALSE_MESSAGE(result.isTimedOut, "the case's process did not end in time");
    const bool isSuccess = WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0 &&
                           result.output.find(kRanMark) != std::string::npos;
    CHECK_MESSAGE(isSuccess, result.output);
}

}  // namespace vnpu::test
