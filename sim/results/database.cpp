// SPDX-License-Identifier: Apache-2.0
#include "sim/results/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>
#include <utility>

#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

constexpr int kBusyMs = 60'000;  // chosen: longer than any other process writes its results

std::string expectation(int code) {
    switch (code & 0xFF) {
        case SQLITE_NOTADB:
            return "expected an SQLite database or a file that does not exist";
        case SQLITE_CORRUPT:
            return "expected an undamaged database; the command .recover of sqlite3 may save it";
        case SQLITE_BUSY:
            return fmt::format("expected that other programs release it within {} s",
                               kBusyMs / 1000);
        case SQLITE_FULL:
            return "expected free space";
        default:
            return "expected a file that can be read and written";
    }
}

}  // namespace

void Database::Close::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

Database::Database(std::string file) : file_(std::move(file)) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &handle,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) {
        fail(code);
    }
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMs);
}

void Database::fail(int code) const {
    const char* reason = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    throw InputError(fmt::format("{}: {}, {}", file_, reason, expectation(code)));
}

void Database::execute(const char* sql) {
    if (const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
        code != SQLITE_OK) {
        fail(code);
    }
}

std::int64_t Database::number(std::string_view sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::lastRow() const {
    return sqlite3_last_insert_rowid(handle_.get());
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database.handle_.get(), sql.data(),
                                        static_cast<int>(sql.size()), &statement, nullptr);
    statement_.reset(statement);
    check(code);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) {
        database_.fail(code);
    }
}

void Statement::bind(int parameter, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int parameter, std::int64_t number) {
    check(sqlite3_bind_int64(statement_.get(), parameter, number));
}

void Statement::bind(int parameter, double number) {
    check(sqlite3_bind_double(statement_.get(), parameter, number));
}

void Statement::bind(int parameter, std::uint64_t number) {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        bind(parameter, static_cast<std::int64_t>(number));
    } else {
        bind(parameter, std::string_view(fmt::format("{}", number)));
    }
}

void Statement::bindNull(int parameter) {
    check(sqlite3_bind_null(statement_.get(), parameter));
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        database_.fail(code);
    }
    return code == SQLITE_ROW;
}

void Statement::reset() {
    check(sqlite3_reset(statement_.get()));
}

void Statement::run() {
    step();
    reset();
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

Transaction::Transaction(Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (isOpen_) {
        // Nothing can be done about a failure: the file's journal undoes the changes later.
        sqlite3_exec(database_.handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    isOpen_ = false;
}

}  // namespace vnpu::sim
