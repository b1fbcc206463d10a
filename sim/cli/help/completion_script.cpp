// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/completion_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace vnpu::sim {

namespace {

bool isChoice(std::string_view word) {
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    };
    return !word.empty() && std::all_of(word.begin(), word.end(), isPlain);
}

/// The words of "a|b" or "NAME:{a,b}"; nothing if one of them is no plain word, as in "DIR|FILE".
std::vector<std::string> choicesOf(std::string_view type) {
    char separator = '|';
    if (const std::size_t open = type.find('{'); open != type.npos) {
        type = type.substr(open + 1, type.find('}') - open - 1);
        separator = ',';
    }
    if (type.find(separator) == type.npos) {
        return {};
    }
    std::vector<std::string> choices;
    while (true) {
        const std::size_t end = std::min(type.find(separator), type.size());
        if (!isChoice(type.substr(0, end))) {
            return {};
        }
        choices.emplace_back(type.substr(0, end));
        if (end == type.size()) {
            return choices;
        }
        type.remove_prefix(end + 1);
    }
}

CompletedOption completed(const CLI::Option& option, const OptionWords& words) {
    CompletedOption result{.help = option.get_description(),
                           .hasValue = option.get_items_expected_max() > 0};
    for (const std::string& name : option.get_lnames()) {
        result.names.push_back("--" + name);
    }
    for (const std::string& name : option.get_snames()) {
        result.names.push_back("-" + name);
    }
    std::replace(result.help.begin(), result.help.end(), '\n', ' ');
    if (result.hasValue) {
        const auto known = words.find(result.names.front());
        result.values = known == words.end() ? choicesOf(option.get_type_name()) : known->second;
        result.isFile = known != words.end() || result.values.empty();
    }
    return result;
}

/// What zsh does for the value of an option.
std::string zshAction(const CompletedOption& option) {
    if (!option.hasValue) {
        return "";
    }
    const std::string words = fmt::format("{}", fmt::join(option.values, " "));
    return words.empty()   ? ":value:_files"
           : option.isFile ? fmt::format(":value:{{compadd -- {}; _files}}", words)
                           : fmt::format(":value:({})", words);
}

std::vector<std::string> optionNames(const CompletedCommand& command) {
    std::vector<std::string> names;
    for (const CompletedOption& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

/// The text with a backslash before each of the characters.
std::string masked(std::string_view text, std::string_view characters) {
    std::string result;
    for (const char c : text) {
        if (characters.find(c) != characters.npos) {
            result += '\\';
        }
        result += c;
    }
    return result;
}

/// The text between quotes of a POSIX shell.
std::string shellQuoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return result + "'";
}

}  // namespace

std::vector<CompletedCommand> completedCommands(const CLI::App& program, const OptionWords& words) {
    std::vector<CompletedCommand> commands;
    for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; })) {
        if (app->get_group().empty()) {
            continue;  // not listed
        }
        CompletedCommand command{.name = app->get_name(), .help = app->get_description()};
        for (const CLI::Option* option : app->get_options()) {
            if (option->nonpositional()) {
                command.options.push_back(completed(*option, words));
            }
        }
        commands.push_back(std::move(command));
    }
    return commands;
}

std::string bashCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands) {
    std::vector<std::string> names;
    std::string options, values;
    for (const CompletedCommand& command : commands) {
        names.push_back(command.name);
        options += fmt::format("        {}) words='{}' ;;\n", command.name,
                               fmt::join(optionNames(command), " "));
        for (const CompletedOption& option : command.options) {
            for (const std::string& name : option.names) {
                if (option.hasValue) {
                    values += fmt::format("        {}:{}) words='{}' ;;\n", command.name, name,
                                          fmt::join(option.values, " "));
                }
            }
        }
    }
    return fmt::format(R"(# bash completion of {0}
_{0}() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words=''
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '{1}' -- "$current"))
        return
    fi
    # bash takes the sign of "--option=value" for a word.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case ${{COMP_WORDS[1]}}:$previous in
{2}        *)
            [[ $current == -* ]] || return
            case ${{COMP_WORDS[1]}} in
{3}            esac
            ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _{0} {0}
)",
                       program, fmt::join(names, " "), values, options);
}

std::string zshCompletion(const std::string& program,
                          const std::vector<CompletedCommand>& commands) {
    std::string list, cases;
    for (const CompletedCommand& command : commands) {
        list += fmt::format("        {}\n",
                            shellQuoted(command.name + ":" + masked(command.help, ":\\")));
        cases += fmt::format("        {})\n            _arguments", command.name);
        for (const CompletedOption& option : command.options) {
            for (const std::string& name : option.names) {
                cases += " \\\n                " +
                         shellQuoted(fmt::format("*{}[{}]{}", name, masked(option.help, "[]:\\"),
                                                 zshAction(option)));
            }
        }
        cases += " \\\n                '*:file:_files'\n            ;;\n";
    }
    return fmt::format(R"(#compdef {0}
_{0}() {{
    local -a commands=(
{1}    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
{2}    esac
}}
_{0} "$@"
)",
                       program, list, cases);
}

std::string fishCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands) {
    const auto quoted = [](std::string_view text) { return "'" + masked(text, "'\\") + "'"; };
    std::string text = fmt::format("# fish completion of {}\n", program);
    for (const CompletedCommand& command : commands) {
        text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program,
                            command.name, quoted(command.help));
    }
    for (const CompletedCommand& command : commands) {
        for (const CompletedOption& option : command.options) {
            text += fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program,
                                command.name);
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            text += option.isFile ? " -r" : option.hasValue ? " -x" : "";
            text += option.values.empty()
                            ? ""
                            : " -a " + quoted(fmt::format("{}", fmt::join(option.values, " ")));
            text += " -d " + quoted(option.help) + "\n";
        }
    }
    return text;
}

}  // namespace vnpu::sim
