// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/ci/case_files.h"
#include "sim/ci/case_options.h"
#include "sim/ci/case_session.h"
#include "tests/support/case_listener.h"

namespace vnpu::test {

namespace {

struct Arguments {
    sim::CaseOptions cases;
    std::string mergedJunit;
    std::vector<std::string> others;  // for doctest, or files to merge
};

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw sim::InputError(fmt::format("{}: can't be read, expected JUnit XML", path));
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void mergeJunit(const Arguments& arguments) {
    std::vector<std::string> texts;
    for (const std::string& file : arguments.others) {
        texts.push_back(read(file));
    }
    std::ofstream out(arguments.mergedJunit, std::ios::binary | std::ios::trunc);
    out << sim::mergedJunit("vnpu_tests", texts);
    out.close();
    if (!out) {
        throw sim::InputError(
                fmt::format("--merge-junit {}: can't be written", arguments.mergedJunit));
    }
}

/// doctest's view of the program's arguments.
class DoctestArguments {
  public:
    DoctestArguments(const char* program, const std::vector<std::string>& arguments) {
        pointers_.push_back(program);
        for (const std::string& argument : arguments) {
            pointers_.push_back(argument.c_str());
        }
    }
    void apply(doctest::Context& context) const {
        context.applyCommandLine(static_cast<int>(pointers_.size()), pointers_.data());
    }

  private:
    std::vector<const char*> pointers_;
};

/// Marks the cases that the session does not select, so that doctest skips them.
void select(const char* program, std::vector<std::string> arguments) {
    std::ostringstream unread;
    doctest::Context context;
    arguments.emplace_back("--list-test-cases");
    DoctestArguments(program, arguments).apply(context);
    context.setCout(&unread);
    context.run();
}

int run(const char* program, const Arguments& parsed) {
    const DoctestArguments arguments(program, parsed.others);
    sim::CaseSession session("vnpu_tests", parsed.cases);
    // Not for the programs that cases start.
    unsetenv("GTEST_TOTAL_SHARDS");
    unsetenv("GTEST_SHARD_INDEX");
    unsetenv("GTEST_SHARD_STATUS_FILE");
    doctest::Context context;
    arguments.apply(context);
    if (context.shouldExit()) {
        return context.run();  // help, version or a list
    }
    doctest::registerReporter<CaseListener>("cases", 0, false);
    CaseListener::connect(&session);
    select(program, parsed.others);
    session.checkSelection();
    if (parsed.cases.isFailFast) {
        context.setOption("abort-after", 1);
    }
    for (std::uint64_t i = 0; i < session.repeats() && !session.isStopped(); ++i) {
        context.run();
    }
    fmt::print("{}", session.notes());
    CaseListener::connect(nullptr);
    return static_cast<int>(session.finish());
}

/// Parses the options of sim/ci and leaves the others.
void parse(int argc, char** argv, Arguments& arguments) {
    CLI::App app{"Options in addition to doctest's, which follow:", "vnpu_tests"};
    app.set_help_flag();
    app.allow_extras();
    sim::addCaseOptions(app, arguments.cases);
    app.add_option("--merge-junit", arguments.mergedJunit,
                   "Only join the JUnit files that the other arguments name")
            ->type_name("FILE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        throw sim::InputError(error.what());
    }
    arguments.others = app.remaining();
    for (const std::string& other : arguments.others) {
        if (other == "--help" || other == "-h" || other == "-?") {
            fmt::print("{}\n", app.help());
        }
    }
}

}  // namespace

int runTests(int argc, char** argv) {
    // A case of SystemC, in a process of its own: its parent reports it.
    if (std::getenv("VNPU_SIM_CASE_CHILD") != nullptr) {
        return doctest::Context(argc, argv).run();
    }
    try {
        Arguments arguments;
        parse(argc, argv, arguments);
        if (!arguments.mergedJunit.empty()) {
            mergeJunit(arguments);
            return 0;
        }
        return run(argv[0], arguments);
    } catch (const sim::InputError& error) {
        fmt::print(stderr, "vnpu_tests: {}\n", error.what());
        return static_cast<int>(sim::ExitCode::kBadInput);
    }
}

}  // namespace vnpu::test
