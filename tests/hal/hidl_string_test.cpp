// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>

#include <cstring>
#include <sstream>
#include <string>
#include <utility>

namespace {

using android::hardware::hidl_string;

TEST_SUITE_BEGIN("hal/hidl_string");

TEST_CASE("is empty by default, and for a null pointer") {
    CHECK(hidl_string().empty());
    CHECK(std::strcmp(hidl_string().c_str(), "") == 0);
    CHECK(hidl_string(static_cast<const char*>(nullptr)).empty());
}

TEST_CASE("goes from and to text") {
    const hidl_string text = "hello";
    CHECK(text.size() == 5);
    CHECK(std::string(text) == "hello");
    CHECK(hidl_string(std::string("hello")) == text);
    CHECK(hidl_string("hello world", 5) == text);
    CHECK(text.c_str()[5] == '\0');
}

TEST_CASE("keeps zero characters inside") {
    const std::string source("a\0b", 3);
    CHECK(std::string(hidl_string(source)) == source);
}

TEST_CASE("copies deeply and moves its buffer") {
    hidl_string source = "hello";
    const char* const buffer = source.c_str();
    const hidl_string copy = source;
    CHECK(copy.c_str() != buffer);
    const hidl_string moved = std::move(source);
    CHECK(moved.c_str() == buffer);
    CHECK(source.empty());  // NOLINT(bugprone-use-after-move): the state is the subject
}

TEST_CASE("is assigned from every kind of text") {
    hidl_string text;
    text = "one";
    CHECK(text == "one");
    text = std::string("two");
    CHECK(text == "two");
    text = hidl_string("three");
    CHECK(text == "three");
    auto& same = text;
    text = same;
    CHECK(text == "three");
    text.clear();
    CHECK(text.empty());
}

TEST_CASE("borrows a buffer") {
    const char buffer[] = "abc";
    hidl_string text;
    text.setToExternal(buffer, 3);
    CHECK(text.c_str() == buffer);
    CHECK(hidl_string(text).c_str() != buffer);
}

TEST_CASE("is ordered like its characters") {
    const hidl_string a = "a";
    const hidl_string b = "b";
    CHECK(a < b);
    CHECK(a <= b);
    CHECK(b > a);
    CHECK(b >= a);
    CHECK(a != b);
    CHECK("a" == a);
    CHECK(a != "b");
}

TEST_CASE("is written to a stream") {
    std::ostringstream out;
    out << hidl_string("abc");
    CHECK(out.str() == "abc");
}

TEST_SUITE_END();

}  // namespace
