// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/help_format.h"

#include <doctest/doctest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

TEST_SUITE_BEGIN("sim/cli/help_format");

TEST_CASE("descriptions and footers go on in the next line after 120 columns") {
    std::string words = "first";
    for (int i = 0; i < 60; ++i) {
        words += " word";
    }
    CLI::App app{"a program", "program"};
    app.formatter(std::make_shared<vnpu::sim::HelpFormat>());
    CLI::App* const command = app.add_subcommand("command", "a command");
    bool isOn = false;
    std::string name;
    command->add_flag("--flag", isOn, words);
    command->add_option("name", name, words);
    command->footer(words + "\n  indented");
    const std::string help = command->help();
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        CHECK_MESSAGE(line.size() <= 120, line);
    }
    // 30 columns are the option's; "first" and 16 times " word" have 85 of the other 90 characters.
    CHECK(help.find("  --flag                      first word") != std::string::npos);
    CHECK(help.find("\n" + std::string(30, ' ') + "word word") != std::string::npos);
    CHECK(help.find("\n  indented") != std::string::npos);
}

TEST_CASE("a positional argument that may be given several times has three dots") {
    CLI::App app{"a program", "program"};
    app.formatter(std::make_shared<vnpu::sim::HelpFormat>());
    std::vector<std::string> results;
    std::string name;
    app.add_option("results", results, "one or two folders")->required()->expected(1, 2);
    app.add_option("name", name, "a name");
    CHECK(app.help().find("program [OPTIONS] results... [name]\n") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace
