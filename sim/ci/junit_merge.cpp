// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "sim/base/error.h"
#include "sim/ci/case_files.h"

namespace vnpu::sim {

namespace {

/// The suite of this name, which is added if there is none.
pugi::xml_node suiteIn(pugi::xml_node root, const char* name) {
    pugi::xml_node suite = root.find_child_by_attribute("testsuite", "name", name);
    if (!suite) {
        suite = root.append_child("testsuite");
        suite.append_attribute("name") = name;
    }
    return suite;
}

template <typename Value>
void setNumber(pugi::xml_node node, const char* name, Value value) {
    pugi::xml_attribute attribute = node.attribute(name);
    (attribute ? attribute : node.append_attribute(name)).set_value(value);
}

/// Adds the counts of one node to those of another.
void addCounts(pugi::xml_node from, pugi::xml_node to) {
    for (const char* name : {"tests", "failures", "errors", "skipped"}) {
        setNumber(to, name, to.attribute(name).as_ullong() + from.attribute(name).as_ullong());
    }
    const double seconds = to.attribute("time").as_double() + from.attribute("time").as_double();
    setNumber(to, "time", fmt::format("{:.6f}", seconds).c_str());
}

}  // namespace

std::string mergedJunit(const std::string& command, const std::vector<std::string>& texts) {
    pugi::xml_document merged;
    pugi::xml_node declaration = merged.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node root = merged.append_child("testsuites");
    root.append_attribute("name") = command.c_str();
    for (const std::string& text : texts) {
        pugi::xml_document document;
        if (!document.load_buffer(text.data(), text.size()) || !document.child("testsuites")) {
            throw InputError("a file to be joined is no JUnit XML");
        }
        for (const pugi::xml_node suite : document.child("testsuites").children("testsuite")) {
            pugi::xml_node into = suiteIn(root, suite.attribute("name").as_string());
            addCounts(suite, into);
            addCounts(suite, root);
            for (const pugi::xml_node one : suite.children("testcase")) {
                into.append_copy(one);
            }
        }
    }
    std::ostringstream out;
    merged.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

}  // namespace vnpu::sim
