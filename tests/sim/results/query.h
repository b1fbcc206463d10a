// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace vnpu::test {

/// The rows of a query, as SQLite's own library reads them from the file: cells as text, "NULL" for
/// a null. Fails the test if the query fails.
std::vector<std::vector<std::string>> query(const std::string& file, const std::string& sql);

/// The only cell of a query.
std::string cell(const std::string& file, const std::string& sql);

/// Executes SQL that changes the file.
void change(const std::string& file, const std::string& sql);

}  // namespace vnpu::test
