// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vnpu::sim {

/// A part of results that has numbers and words: a layer, a client, a point of a sweep, a check, a
/// case. Kind and name together are unique in a set.
struct ResultRow {
    std::string kind{};                          // "layer", "client", "run", "check", "case"
    std::string name{};                          // "camera: 12 conv4 CONV_2D"
    std::map<std::string, double> figures{};     // by quantity, finite
    std::map<std::string, std::string> words{};  // by quantity, such as a verdict
    std::string note{};                          // shown with a change, not compared

    /// "layer camera: 12 conv4 CONV_2D"
    std::string text() const { return kind + " " + name; }
};

/// The numbers and words of a folder or file of results, in its order.
class ResultSet {
  public:
    explicit ResultSet(std::string kindOfResults, std::string subjectOfResults = "")
        : kind(std::move(kindOfResults)), subject(std::move(subjectOfResults)) {}

    std::string source{};  // as the user wrote it
    std::string kind;      // "run", "sweep", "validate", "cases", "benchmarks"
    std::string subject;   // scenario or sweep; may be empty
    std::vector<ResultRow> rows{};

    /// The row of this kind and name, which is added if there is none.
    ResultRow& row(const std::string& kindOfRow, const std::string& name);

  private:
    std::map<std::pair<std::string, std::string>, std::size_t> places_{};
};

}  // namespace vnpu::sim
