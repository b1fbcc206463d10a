// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_page.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/base/json_text.h"
#include "sim/config/embedded_files.h"
#include "sim/report/svg.h"

namespace vnpu::sim {

namespace {

/// JSON in which no character can end the element that holds it. These three stand only in strings
/// of JSON, where such an escape is the same character.
std::string jsonForScript(const nlohmann::ordered_json& data) {
    const std::string text = jsonText(data);
    std::string out;
    out.reserve(text.size() + text.size() / 64);
    for (const char c : text) {
        if (c == '<' || c == '>' || c == '&') {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out;
}

/// The contents of all parts whose name ends so, in the order of their names.
std::string partsOf(std::string_view ending) {
    std::string out;
    for (const EmbeddedFile& file : embeddedPageFiles()) {
        if (file.name.ends_with(ending)) {
            out += file.text;
        }
    }
    return out;
}

std::string contentsOf(std::string_view place, std::string_view title,
                       const nlohmann::ordered_json& data, PageReach reach) {
    if (place == "title") {
        return svgEscape(title);
    }
    if (place == "reach") {
        return reach == PageReach::kOwnServer ? "; connect-src 'self'" : "";
    }
    if (place == "style") {
        return partsOf(".css");
    }
    if (place == "data") {
        return jsonForScript(data);
    }
    if (place == "script") {
        return partsOf(".js");
    }
    throw std::logic_error(fmt::format("page.html: unknown place {}", place));
}

}  // namespace

std::string htmlPage(std::string_view title, const nlohmann::ordered_json& data, PageReach reach) {
    constexpr std::string_view kBegin = "{{";
    constexpr std::string_view kEnd = "}}";
    const EmbeddedFile* frame = findEmbedded(embeddedPageFiles(), "page.html");
    if (frame == nullptr) {
        throw std::logic_error("page.html is not part of the program");
    }
    std::string out;
    std::string_view rest = frame->text;
    for (std::size_t from = rest.find(kBegin); from != std::string_view::npos;
         from = rest.find(kBegin)) {
        const std::size_t to = rest.find(kEnd, from);
        out += rest.substr(0, from);
        out += contentsOf(rest.substr(from + kBegin.size(), to - from - kBegin.size()), title, data,
                          reach);
        rest = rest.substr(to + kEnd.size());
    }
    return out.append(rest);
}

}  // namespace vnpu::sim
