// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/results/query.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <memory>

namespace vnpu::test {

namespace {

std::unique_ptr<sqlite3, int (*)(sqlite3*)> open(const std::string& file) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr);
    REQUIRE(code == SQLITE_OK);
    return {handle, sqlite3_close};
}

}  // namespace

std::vector<std::vector<std::string>> query(const std::string& file, const std::string& sql) {
    const auto database = open(file);
    sqlite3_stmt* statement = nullptr;
    CAPTURE(sql);
    const int code = sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement, nullptr);
    CAPTURE(sqlite3_errmsg(database.get()));
    REQUIRE(code == SQLITE_OK);
    std::vector<std::vector<std::string>> rows;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        std::vector<std::string>& row = rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
            row.emplace_back(text == nullptr ? "NULL" : text);
        }
    }
    const int end = sqlite3_finalize(statement);
    REQUIRE(end == SQLITE_OK);
    return rows;
}

std::string cell(const std::string& file, const std::string& sql) {
    const auto rows = query(file, sql);
    CAPTURE(sql);
    REQUIRE(rows.size() == 1);
    REQUIRE(rows[0].size() == 1);
    return rows[0][0];
}

void change(const std::string& file, const std::string& sql) {
    const auto database = open(file);
    CAPTURE(sql);
    const int code = sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr);
    CAPTURE(sqlite3_errmsg(database.get()));
    REQUIRE(code == SQLITE_OK);
}

}  // namespace vnpu::test
