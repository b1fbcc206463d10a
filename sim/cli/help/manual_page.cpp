// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

namespace vnpu::sim {

namespace {

constexpr std::string_view kExitStatus =
        ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nSomething failed, or was not as expected.\n"
        ".TP\n2\nThe input is wrong; one line says where and what was expected.\n";

/// Text of a page: characters that roff would change or obey are masked.
std::string masked(std::string_view text) {
    std::string result = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
    for (const char c : text) {
        switch (c) {
            case '\\':
                result += "\\e";
                break;
            case '-':
                result += "\\-";
                break;
            case '\'':
                result += "\\(aq";
                break;
            case '`':
                result += "\\(ga";
                break;
            case '^':
                result += "\\(ha";
                break;
            case '~':
                result += "\\(ti";
                break;
            case '\n':
                result += ' ';
                break;
            default:
                result += c;
        }
    }
    return result;
}

/// In ASCII.
std::string upperCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

std::string bold(std::string_view text) {
    return "\\fB" + masked(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + masked(text) + "\\fR";
}

/// A text of several lines. Those with a blank at their beginning stay as they are, such as tables.
std::string paragraphs(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    bool isTable = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) {
            result += isTable ? ".fi\n.PP\n" : ".PP\n";
            isTable = false;
            continue;
        }
        if ((line[0] == ' ') != isTable) {
            isTable = !isTable;
            result += isTable ? ".nf\n" : ".fi\n";
        }
        result += masked(line) + "\n";
    }
    return result + (isTable ? ".fi\n" : "");
}

/// What a value is called, the first part of "NAME:{a,b}" and "UINT:UINT in [1 - 9]".
std::string valueName(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    return type.substr(0, type.find(':'));
}

/// What a value may be, from the second part of these.
std::string limitText(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    if (const std::size_t open = type.find(":{"); open != type.npos) {
        const std::string words = type.substr(open + 2, type.find('}') - open - 2);
        return fmt::format("one of {}", fmt::join(CLI::detail::split(words, ','), ", "));
    }
    const std::size_t open = type.find(" in [");
    const std::size_t dash = type.find(" - ", open);
    if (open == type.npos || dash == type.npos) {
        return "";
    }
    return fmt::format("from {} to {}", type.substr(open + 5, dash - open - 5),
                       type.substr(dash + 3, type.find(']') - dash - 3));
}

std::string namesOf(const std::set<CLI::Option*>& options) {
    std::set<std::string> names;  // sorted: CLI11 has them in the order of addresses
    for (const CLI::Option* option : options) {
        names.insert(option->get_name());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The description and, in parentheses, what the option needs, allows and has without being given.
std::string descriptionOf(const CLI::Option& option) {
    std::vector<std::string> facts;
    const auto add = [&](const std::string& before, const std::string& fact) {
        if (!fact.empty()) {
            facts.push_back(before + fact);
        }
    };
    add("", option.get_required() ? "required" : "");
    add("", limitText(option));
    add("default: ", option.get_items_expected_max() > 0 ? option.get_default_str() : "");
    add("needs ", namesOf(option.get_needs()));
    add("not with ", namesOf(option.get_excludes()));
    add("environment variable: ", option.get_envname());
    const std::string& text = option.get_description();
    return facts.empty()
                   ? text
                   : fmt::format("{}{}({})", text, text.empty() ? "" : " ", fmt::join(facts, "; "));
}

std::string entryOf(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back(bold("-" + name));
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back(bold("--" + name));
    }
    if (names.empty()) {
        names.push_back(italic(option.get_name(true)));
    }
    std::string head = fmt::format("{}", fmt::join(names, ", "));
    if (option.get_items_expected_max() > 0) {
        head += " " + italic(valueName(option));
        head += option.get_items_expected_max() > 1 ? " ..." : "";
    }
    return fmt::format(".TP\n{}\n{}\n", head, masked(descriptionOf(option)));
}

/// The arguments and the groups of options, in the order of the help.
std::string optionSections(const CLI::App& app) {
    std::string arguments;
    for (const CLI::Option* option : app.get_options()) {
        arguments += option->get_positional() ? entryOf(*option) : "";
    }
    std::string text = arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments;
    for (const std::string& group : app.get_groups()) {
        std::string entries;
        for (const CLI::Option* option : app.get_options()) {
            const bool isHere = option->nonpositional() && option->get_group() == group;
            entries += isHere ? entryOf(*option) : "";
        }
        if (!group.empty() && !entries.empty()) {
            const std::string title = upperCase(group);
            text += fmt::format(".SH {}\n{}", masked(title), entries);
        }
    }
    return text;
}

std::string argumentsOf(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            std::string name = italic(option->get_name(true));
            name += option->get_items_expected_max() > 1 ? " ..." : "";
            text += option->get_required() ? " " + name : " [" + name + "]";
        }
    }
    return text;
}

/// The program's footer is about its environment variables.
std::string environmentOf(const CLI::App& program) {
    return ".SH ENVIRONMENT\n" + paragraphs(program.get_footer());
}

/// Without the name, with which that of the program begins.
std::string summaryOf(const CLI::App& app) {
    const std::string name = app.get_name() + ": ";
    const std::string text = app.get_description();
    return text.starts_with(name) ? text.substr(name.size()) : text;
}

std::string headOf(const std::string& name, const std::string& version, const CLI::App& app) {
    return fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       masked(upperCase(name)), masked(version), masked(name),
                       masked(summaryOf(app)));
}

bool isListed(const CLI::App* command) {
    return !command->get_group().empty();
}

std::vector<const CLI::App*> commandsOf(const CLI::App& program) {
    return program.get_subcommands(isListed);
}

std::string programPage(const CLI::App& program, const std::string& version) {
    const std::string& name = program.get_name();
    std::string text = headOf(name, version, program);
    text += fmt::format(
            ".SH SYNOPSIS\n{} \\fIcommand\\fR [\\fIoption\\fR ...] [\\fIargument\\fR ...]\n",
            bold(name));
    text += fmt::format(
            ".SH DESCRIPTION\nThe options of a command are in its own page, {}(1), "
            "and in the output of {}.\n",
            bold(name + "-") + italic("command"),
            bold(name) + " " + italic("command") + " " + bold("--help"));
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commandsOf(program)) {
        text += fmt::format(".TP\n{}(1)\n{}\n", bold(name + "-" + command->get_name()),
                            masked(command->get_description()));
    }
    return text + optionSections(program) + environmentOf(program) + std::string(kExitStatus);
}

std::string commandPage(const CLI::App& program, const CLI::App& command,
                        const std::string& version) {
    const std::string name = program.get_name() + "-" + command.get_name();
    std::string text = headOf(name, version, command);
    text += fmt::format(".SH SYNOPSIS\n{} [\\fIoption\\fR ...]{}\n",
                        bold(program.get_name() + " " + command.get_name()), argumentsOf(command));
    text += optionSections(command);
    const std::string footer = command.get_footer();
    if (footer != program.get_footer()) {
        text += ".SH NOTES\n" + paragraphs(footer);
    }
    return text + environmentOf(program) + std::string(kExitStatus) +
           fmt::format(".SH SEE ALSO\n{}(1)\n", bold(program.get_name()));
}

}  // namespace

std::vector<ManualPage> manualPages(const CLI::App& program, const std::string& version) {
    std::vector<ManualPage> pages = {{program.get_name(), programPage(program, version)}};
    for (const CLI::App* command : commandsOf(program)) {
        pages.push_back({program.get_name() + "-" + command->get_name(),
                         commandPage(program, *command, version)});
    }
    return pages;
}

}  // namespace vnpu::sim
