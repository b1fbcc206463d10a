// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html_page.h"

#include <doctest/doctest.h>

#include <string>

namespace {

using nlohmann::ordered_json;
using vnpu::sim::htmlPage;

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

/// The contents of the element with the data.
std::string dataOf(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return page.substr(from, page.find("</script>", from) - from);
}

TEST_SUITE_BEGIN("sim/report/html/html_page");

TEST_CASE("a page holds style, data and scripts, and refers to nothing outside") {
    const std::string page = htmlPage("a run", {{"kind", "run"}});
    CHECK(page.find("<!doctype html>") == 0);
    CHECK(page.find("<title>a run</title>") != std::string::npos);
    CHECK(page.find("{{") == std::string::npos);
    CHECK(dataOf(page) == "{\"kind\":\"run\"}");
    CHECK(page.find("default-src 'none'") != std::string::npos);
    CHECK(page.find("src=") == std::string::npos);
    // The only address is the name of SVG's elements.
    CHECK(countOf(page, "http") == 1 + countOf(page, "http-equiv"));
    CHECK(page == htmlPage("a run", {{"kind", "run"}}));
}

TEST_CASE("only a page that asks for it may load from its own server") {
    using vnpu::sim::PageReach;
    CHECK(htmlPage("a run", {{"kind", "run"}}).find("connect-src") == std::string::npos);
    const std::string page = htmlPage("live", {{"kind", "live"}}, PageReach::kOwnServer);
    CHECK(page.find("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                    "img-src data:; connect-src 'self'\"") != std::string::npos);
}

TEST_CASE("no name can end the element that holds it") {
    const std::string name =
            "</script><script>alert(1)</script><!-- \"'&amp; \\u003c \xE2\x80\xA8 {{style}}";
    const ordered_json data = {{"kind", "run"}, {name, name}};
    const std::string page = htmlPage(name, data);
    const std::string plain = htmlPage("", {{"kind", "run"}});
    CHECK(countOf(page, "<script") == countOf(plain, "<script"));
    CHECK(countOf(page, "</script") == countOf(plain, "</script"));
    CHECK(countOf(page, "<!--") == countOf(plain, "<!--"));
    CHECK(page.find("<title>&lt;/script&gt;") != std::string::npos);
    CHECK(ordered_json::parse(dataOf(page)) == data);
}

TEST_CASE("bytes that are not UTF-8 are replaced") {
    const std::string page = htmlPage("x", {{"name", "a\xFFz"}});
    CHECK(ordered_json::parse(dataOf(page))["name"] == "a\xEF\xBF\xBDz");
}

TEST_SUITE_END();

}  // namespace
