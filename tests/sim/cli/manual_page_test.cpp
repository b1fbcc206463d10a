// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/manual_page.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::CommandFolder;
using vnpu::test::runVnpu;

/// A line of the page with this text before and after it.
bool hasLines(const std::string& page, const std::string& lines) {
    return page.find("\n" + lines + "\n") != std::string::npos;
}

/// The words at the beginning of the lines of a help that match `form`, whose first group is a
/// word.
std::set<std::string> wordsOf(const std::string& help, const char* form) {
    std::set<std::string> words;
    std::istringstream lines(help);
    const std::regex expression(form);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, expression)) {
            words.insert(match[1]);
        }
    }
    return words;
}

/// The options at the beginning of the entries of a page.
std::set<std::string> optionsOf(const std::string& page) {
    std::set<std::string> options;
    std::istringstream lines(page);
    bool isEntry = false;
    for (std::string line; std::getline(lines, line);) {
        const std::regex form("\\\\fB(\\\\-[^ ]*)\\\\fR");
        const bool isHead = isEntry;
        isEntry = line == ".TP";
        for (std::sregex_iterator at(line.begin(), line.end(), form), end; isHead && at != end;
             ++at) {
            options.insert(std::regex_replace((*at)[1].str(), std::regex("\\\\-"), "-"));
        }
    }
    return options;
}

/// The options of a help, whose lines begin with "  -o,--output FILE" or "  --config NAME".
std::set<std::string> helpOptionsOf(const std::string& help) {
    std::set<std::string> options;
    for (const std::string& names : wordsOf(help, "^  (-[^ ]+)")) {
        std::istringstream parts(names);
        for (std::string name; std::getline(parts, name, ',');) {
            options.insert(name);
        }
    }
    return options;
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/manual_page");

TEST_CASE("an entry has names, value, description and what the value may be") {
    CLI::App app{"prog: a program", "prog"};
    CLI::App* const run = app.add_subcommand("run", "Run it");
    std::string text;
    std::uint64_t number = 3;
    bool isLinted = false;
    run->add_option("file", text, "A file")->required()->type_name("FILE");
    run->add_option("-n,--number", number, "How many")
            ->check(CLI::Range(1, 9))
            ->capture_default_str();
    run->add_option("--way", text, "The way")->check(CLI::IsMember({"in", "out"}));
    CLI::Option* const lint = run->add_flag("--lint", isLinted, "Check it")->envname("PROG_LINT");
    run->add_option("--label", text, "Its name")->needs(lint);
    const std::vector<ManualPage> pages = manualPages(app, "prog 1.0");
    REQUIRE(pages.size() == 2);
    CHECK(pages[0].name == "prog");
    CHECK(hasLines(pages[0].roff, ".SH NAME\nprog \\- a program"));
    CHECK(hasLines(pages[0].roff, ".TP\n\\fBprog\\-run\\fR(1)\nRun it"));
    const std::string& page = pages[1].roff;
    CAPTURE(page);
    CHECK(pages[1].name == "prog-run");
    CHECK(page.starts_with(".TH PROG\\-RUN 1 \"\" \"prog 1.0\" \"User Commands\"\n"));
    CHECK(hasLines(page, ".SH SYNOPSIS\n\\fBprog run\\fR [\\fIoption\\fR ...] \\fIfile\\fR"));
    CHECK(hasLines(page, ".TP\n\\fIfile\\fR \\fIFILE\\fR\nA file (required)"));
    CHECK(hasLines(page,
                   ".TP\n\\fB\\-n\\fR, \\fB\\-\\-number\\fR \\fIUINT\\fR\n"
                   "How many (from 1 to 9; default: 3)"));
    CHECK(hasLines(page, "The way (one of in, out)"));
    CHECK(hasLines(page,
                   ".TP\n\\fB\\-\\-lint\\fR\n"
                   "Check it (environment variable: PROG_LINT)"));
    CHECK(hasLines(page, "Its name (needs \\-\\-lint)"));
}

TEST_CASE("text that roff would obey or change stays text") {
    CLI::App app{"prog: a program", "prog"};
    CLI::App* const run = app.add_subcommand("run", ".so it's `a` \\b ^c ~d");
    run->footer("Plain\n  .table 'x'\n\nMore");
    const std::string page = manualPages(app, "1").at(1).roff;
    CAPTURE(page);
    CHECK(hasLines(page, "prog\\-run \\- \\&.so it\\(aqs \\(gaa\\(ga \\eb \\(hac \\(tid"));
    CHECK(hasLines(page, ".SH NOTES\nPlain\n.nf\n  .table \\(aqx\\(aq\n.fi\n.PP\nMore"));
}

TEST_CASE("every command has a page, which has exactly the options of its help") {
    const CommandFolder folder;
    REQUIRE(runVnpu({"manual", folder / "pages"}).exitCode == 0);
    const std::string overview = folder.read("pages/vnpu.1");
    const std::string help = runVnpu({"--help"}).output;
    CHECK(optionsOf(overview).contains("--version"));
    const std::string list = help.substr(help.find("Subcommands:"));
    const std::set<std::string> commands = wordsOf(list, "^  ([a-z]+) ");
    CHECK(commands.size() > 15);
    for (const std::string& command : commands) {
        CAPTURE(command);
        CHECK(overview.find(fmt::format("\\fBvnpu\\-{}\\fR(1)\n", command)) != std::string::npos);
        const std::string page = folder.read(fmt::format("pages/vnpu-{}.1", command));
        REQUIRE(!page.empty());
        CHECK(optionsOf(page) == helpOptionsOf(runVnpu({command, "--help"}).output));
    }
}

TEST_CASE("groff and mandoc have nothing to say about the pages") {
    const CommandFolder folder;
    REQUIRE(runVnpu({"manual", folder / "pages"}).exitCode == 0);
    // The date is missing on purpose: the same source gives the same bytes.
    for (const char* check : {"groff -ww -man -Tutf8 $page 2>&1 >/dev/null",
                              "mandoc -Tlint -W warning $page | grep -v 'missing date'"}) {
        const std::string program = std::string(check).substr(0, std::string(check).find(' '));
        if (folder.system("command -v " + program) != 0) {
            MESSAGE("skipped: " << program << " is not installed");
            continue;
        }
        folder.system(fmt::format("for page in {}/*.1; do {}; done", folder / "pages", check));
        CHECK(folder.read("out") == "");
    }
}

TEST_SUITE_END();
