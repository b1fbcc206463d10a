// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// Writes a value change dump (IEEE 1364-2005, section 18) with a time step of 1 ns. The header
/// contains no date, so equal runs give equal files. Values are numbers or unknown ("x"); only
/// changes inside the window are written. Order of use: signals, then begin(), then advance() and
/// set() with times that do not decrease, then end().
class VcdWriter {
  public:
    struct Window {
        std::uint64_t fromNs = 0;
        std::uint64_t toNs = UINT64_MAX;  // changes at this time are still written
    };

    VcdWriter(std::ostream& out, Window window) : out_(out), window_(window) {}

    /// A signal's value; empty: unknown.
    using Value = std::optional<std::uint64_t>;

    /// A signal of 1 to 64 bits in the scope "npu.mac". Returns its number. Signals of one scope
    /// must follow one another.
    std::size_t addSignal(std::string_view scope, std::string_view name, unsigned bits,
                          Value initial = std::nullopt);

    void begin();
    /// Moves to a later time; earlier calls of set() belong to the time before.
    void advance(std::uint64_t timeNs);
    void set(std::size_t signal, Value value);
    /// Writes pending changes and the last time stamp.
    void end(std::uint64_t timeNs);

  private:
    struct Signal {
        std::string scope;
        std::string name;
        unsigned bits = 1;
        std::string code;  // the dump's short name
        Value value{};
        Value written{};
        bool isPending = false;
    };

    void writeScopes();
    void writeValue(const Signal& signal);
    void writeInitialValues(std::uint64_t timeNs);
    void flush();

    std::ostream& out_;
    Window window_;
    std::vector<Signal> signals_;
    std::vector<std::size_t> pending_;
    std::uint64_t nowNs_ = 0;
    bool isOpen_ = false;  // the initial values are written
};

}  // namespace vnpu::sim
