// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "sim/base/error.h"
#include "sim/ci/case_files.h"
#include "sim/ci/xml_text.h"

namespace vnpu::sim {

namespace {

struct Counts {
    std::size_t tests = 0, failures = 0, skipped = 0;
    double seconds = 0.0;

    void add(const JudgedCase& one) {
        ++tests;
        failures += isBad(one.verdict) ? 1 : 0;
        skipped += one.verdict == CaseVerdict::kSkipped ||
                   one.verdict == CaseVerdict::kExpectedFailure;
        seconds += one.outcome.time.count();
    }
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(xmlText(value).c_str());
}

void setCounts(pugi::xml_node node, const std::string& name, const Counts& counts) {
    set(node, "name", name);
    set(node, "tests", fmt::format("{}", counts.tests));
    set(node, "failures", fmt::format("{}", counts.failures));
    set(node, "errors", "0");
    set(node, "skipped", fmt::format("{}", counts.skipped));
    set(node, "time", fmt::format("{:.6f}", counts.seconds));
}

void addCase(pugi::xml_node suite, const std::string& className, const JudgedCase& one) {
    pugi::xml_node node = suite.append_child("testcase");
    set(node, "name", one.outcome.name.name);
    set(node, "classname", className);
    set(node, "time", fmt::format("{:.6f}", one.outcome.time.count()));
    if (!one.outcome.name.file.empty()) {
        set(node, "file", one.outcome.name.file);
    }
    if (!one.outcome.figures.empty()) {
        pugi::xml_node properties = node.append_child("properties");
        for (const auto& [name, value] : one.outcome.figures) {
            pugi::xml_node property = properties.append_child("property");
            set(property, "name", name);
            set(property, "value", value);
        }
    }
    if (one.verdict == CaseVerdict::kPassed) {
        return;
    }
    pugi::xml_node result = node.append_child(isBad(one.verdict) ? "failure" : "skipped");
    const std::string& text = one.explanation;
    set(result, "message", text.substr(0, text.find('\n')));
    set(result, "type", nameOf(one.verdict));
    if (isBad(one.verdict)) {
        const std::string place =
                one.outcome.name.file.empty()
                        ? one.outcome.name.text()
                        : fmt::format("{}: {}", one.outcome.name.file, one.outcome.name.text());
        result.text().set(xmlText(fmt::format("{}: {}", place, text)).c_str());
    }
}

JudgedCase readCase(const pugi::xml_node& node, const std::string& suite) {
    JudgedCase one{
            .outcome = {.name = {.suite = suite,
                                 .name = node.attribute("name").as_string(),
                                 .file = node.attribute("file").as_string()},
                        .time = std::chrono::duration<double>(node.attribute("time").as_double())},
            .runs = 1};
    for (const pugi::xml_node property : node.child("properties").children("property")) {
        one.outcome.figures.emplace_back(property.attribute("name").as_string(),
                                         property.attribute("value").as_string());
    }
    for (const auto& [tag, result, verdict] :
         {std::tuple("skipped", CaseResult::kSkipped, CaseVerdict::kSkipped),
          std::tuple("error", CaseResult::kFailed, CaseVerdict::kFailed),
          std::tuple("failure", CaseResult::kFailed, CaseVerdict::kFailed)}) {
        if (const pugi::xml_node found = node.child(tag)) {
            one.outcome.result = result;
            one.verdict = verdict;
            one.explanation = found.attribute("message").as_string(found.child_value());
        }
    }
    const std::string type = node.child("skipped").attribute("type").as_string();
    if (type == nameOf(CaseVerdict::kExpectedFailure)) {
        one.outcome.result = CaseResult::kFailed;
        one.verdict = CaseVerdict::kExpectedFailure;
    }
    one.outcome.message = one.explanation;
    one.failures = one.outcome.result == CaseResult::kFailed ? 1 : 0;
    return one;
}

}  // namespace

std::string junitXml(const std::string& command, const std::vector<JudgedCase>& cases) {
    std::vector<std::string> suites;
    for (const JudgedCase& one : cases) {
        if (std::find(suites.begin(), suites.end(), one.outcome.name.suite) == suites.end()) {
            suites.push_back(one.outcome.name.suite);
        }
    }
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("testsuites");
    Counts all;
    std::for_each(cases.begin(), cases.end(), [&](const JudgedCase& one) { all.add(one); });
    setCounts(root, command, all);
    for (const std::string& suite : suites) {
        pugi::xml_node node = root.append_child("testsuite");
        Counts counts;
        for (const JudgedCase& one : cases) {
            if (one.outcome.name.suite == suite) {
                counts.add(one);
            }
        }
        const std::string name = suite.empty() ? command : fmt::format("{}: {}", command, suite);
        setCounts(node, name, counts);
        for (const JudgedCase& one : cases) {
            if (one.outcome.name.suite == suite) {
                addCase(node, suite.empty() ? command : suite, one);
            }
        }
    }
    std::ostringstream out;
    pugi::xml_node declaration = document.prepend_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

std::vector<JudgedCase> casesOfJunit(std::string_view text, const std::string& file) {
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (!result) {
        throw InputError(fmt::format("{}: byte {}: {}, expected JUnit XML", file, result.offset,
                                     result.description()));
    }
    const pugi::xml_node root = document.document_element();
    const std::string tag = root.name();
    if (tag != "testsuites" && tag != "testsuite") {
        throw InputError(fmt::format("{}: the root is <{}>, expected <testsuites>", file, tag));
    }
    std::vector<JudgedCase> cases;
    const auto readSuite = [&](const pugi::xml_node& suite) {
        for (const pugi::xml_node node : suite.children("testcase")) {
            cases.push_back(readCase(node, node.attribute("classname").as_string()));
        }
    };
    readSuite(root);
    for (const pugi::xml_node suite : root.children("testsuite")) {
        readSuite(suite);
    }
    return cases;
}

}  // namespace vnpu::sim
