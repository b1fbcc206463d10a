// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/completion_script.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;

/// A program with a command of each kind of option, and one that is not listed.
class Program {
  public:
    Program() {
        CLI::App* run = app_.add_subcommand("run", "Run: it's [one] run");
        run->add_option("scenario", text_, "A file")->required();
        run->add_option("--config", text_, "A device")->type_name("NAME|FILE");
        run->add_option("--path,-p", text_, "How\nit goes")->type_name("sync|async");
        run->add_option("--rung", text_)->type_name("NAME")->check(CLI::IsMember({"a", "b2"}));
        run->add_option("--out", text_)->type_name("DIR|FILE");
        run->add_flag("--json", isSet_);
        app_.add_subcommand("info", "Print");
        app_.add_subcommand("worker", "Hidden")->group("");
    }

    std::vector<CompletedCommand> commands() const {
        return completedCommands(app_, {{"--config", {"edge", "mobile"}}});
    }

  private:
    CLI::App app_{"A program", "prog"};
    std::string text_;
    bool isSet_ = false;
};

/// What bash offers for the last of these words of a command line, after the name of the program.
std::string offered(const std::vector<std::string>& words) {
    const vnpu::test::CommandFolder folder;
    const std::string script =
            folder.write("completion", bashCompletion("prog", Program().commands()));
    std::vector<std::string> arguments = {"-c",
                                          "source \"$0\"; COMP_WORDS=(prog \"$@\"); COMP_CWORD=$#; "
                                          "_prog; echo \"${COMPREPLY[*]}\"",
                                          script};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const auto result = vnpu::test::runProgram("/bin/bash", arguments);
    CHECK(result.exitCode == 0);
    CHECK(result.errors.empty());
    return result.output;
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/completion_script");

TEST_CASE("bash completes commands, options and values") {
    CHECK(offered({""}) == "run info\n");
    CHECK(offered({"r"}) == "run\n");
    CHECK(offered({"run", "--p"}) == "--path\n");
    CHECK(offered({"run", "--"}) == "--help --config --path --rung --out --json\n");
    CHECK(offered({"run", "--path", ""}) == "sync async\n");
    CHECK(offered({"run", "-p", "a"}) == "async\n");
    CHECK(offered({"run", "--rung", ""}) == "a b2\n");
    CHECK(offered({"run", "--config", "mo"}) == "mobile\n");
    CHECK(offered({"info", "--"}) == "--help\n");
}

TEST_CASE("bash completes the value after an equals sign") {
    CHECK(offered({"run", "--path", "="}) == "sync async\n");
    CHECK(offered({"run", "--path", "=", "s"}) == "sync\n");
}

TEST_CASE("bash is left to complete names of files") {
    CHECK(offered({"run", "--out", ""}) == "\n");
    CHECK(offered({"run", "scen"}) == "\n");
    CHECK(offered({"run", "--json", "scen"}) == "\n");
}

TEST_CASE("zsh and fish get every listed command and option, with the help masked") {
    const std::string zsh = zshCompletion("prog", Program().commands());
    const std::string fish = fishCompletion("prog", Program().commands());
    const auto zshHas = [&](const char* part) { return zsh.find(part) != std::string::npos; };
    const auto fishHas = [&](const char* part) { return fish.find(part) != std::string::npos; };
    CHECK(zshHas(R"('run:Run\: it'\''s [one] run')"));
    CHECK(zshHas("'*--path[How it goes]:value:(sync async)'"));
    CHECK(zshHas("'*--config[A device]:value:{compadd -- edge mobile; _files}'"));
    CHECK(zshHas("'*--json[]'"));
    CHECK_FALSE(zshHas("worker"));
    CHECK(fishHas(R"(-a run -d 'Run: it\'s [one] run')"));
    CHECK(fishHas("-l path -s p -x -a 'sync async' -d 'How it goes'"));
    CHECK(fishHas("-l config -r -a 'edge mobile'"));
    CHECK_FALSE(fishHas("worker"));
}

TEST_CASE("the program prints its own completion, which knows all commands of the help") {
    const auto result = vnpu::test::runVnpu({"completion", "bash"});
    CHECK(result.exitCode == 0);
    for (const char* part : {"compare", "completion", "run:--config) words='", "edge",
                             "complete -o bashdefault -o default -F _vnpu vnpu"}) {
        CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
    }
    CHECK(vnpu::test::runVnpu({"completion", "tcsh"}).exitCode == 2);
}

TEST_SUITE_END();
