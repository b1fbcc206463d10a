// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace vnpu::sim {

class Database;

/// A prepared statement of SQL, for one thread. Parameters count from 1.
class Statement {
  public:
    /// Throws as Database::execute().
    Statement(Database& database, std::string_view sql);

    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::int64_t number);
    /// A NaN is a null.
    void bind(int parameter, double number);
    /// SQLite's integers have a sign; a number above 2^63 - 1 is stored as text.
    void bind(int parameter, std::uint64_t number);
    void bindNull(int parameter);

    /// The next row, if there is one. Throws as Database::execute().
    bool step();
    /// Ends the rows; parameters can then be bound again.
    void reset();
    /// Executes a statement without rows, and resets it.
    void run();
    std::int64_t integer(int column) const;  // from 0

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    void check(int code) const;

    Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// An open SQLite file, for one thread.
class Database {
  public:
    /// Makes the file if it does not exist. Throws InputError if that is not possible.
    explicit Database(std::string file);

    /// Executes SQL without results. Throws InputError, which begins with the name of the file, for
    /// a file that is no database, damaged, not writable, full, or in use by others for a minute.
    void execute(const char* sql);
    /// The result of a pragma, or of a query with one number.
    std::int64_t number(std::string_view sql);
    std::int64_t lastRow() const;

    const std::string& file() const { return file_; }

  private:
    friend class Statement;
    friend class Transaction;
    struct Close {
        void operator()(sqlite3* database) const;
    };

    [[noreturn]] void fail(int code) const;

    std::string file_;
    std::unique_ptr<sqlite3, Close> handle_;
};

/// A transaction that writes: others wait until it ends. Without commit(), its changes are undone.
class Transaction {
  public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit();

  private:
    Database& database_;
    bool isOpen_ = true;
};

}  // namespace vnpu::sim
