// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/weights/code_lengths.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vnpu::driver {
namespace {

/// A set of symbols whose code words share a prefix.
struct Branch {
    std::uint64_t count = 0;
    std::vector<std::size_t> symbols;
};

/// Removes the rarest branch; of equal ones the first.
Branch takeRarest(std::vector<Branch>& branches) {
    const auto rarest =
            std::min_element(branches.begin(), branches.end(),
                             [](const Branch& a, const Branch& b) { return a.count < b.count; });
    Branch taken = std::move(*rarest);
    branches.erase(rarest);
    return taken;
}

/// Huffman's construction: the two rarest branches become one, one bit further from the root.
CodeLengths huffmanLengths(const SymbolCounts& counts) {
    CodeLengths lengths{};
    std::vector<Branch> branches;
    for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
        if (counts[symbol] != 0) {
            branches.push_back({counts[symbol], {symbol}});
        }
    }
    if (branches.size() == 1) {
        lengths[branches[0].symbols[0]] = 1;
    }
    while (branches.size() > 1) {
        Branch joined = takeRarest(branches);
        const Branch second = takeRarest(branches);
        joined.count += second.count;
        joined.symbols.insert(joined.symbols.end(), second.symbols.begin(), second.symbols.end());
        for (const std::size_t symbol : joined.symbols) {
            ++lengths[symbol];
        }
        branches.push_back(std::move(joined));
    }
    return lengths;
}

}  // namespace

CodeLengths codeLengths(const SymbolCounts& counts) {
    SymbolCounts evened = counts;
    while (true) {
        const CodeLengths lengths = huffmanLengths(evened);
        if (*std::max_element(lengths.begin(), lengths.end()) <= hw::kMostCodeBits) {
            return lengths;
        }
        // Halved counts differ less, down to all being equal, which takes five bits.
        for (std::uint64_t& count : evened) {
            count = (count + 1) / 2;
        }
    }
}

}  // namespace vnpu::driver
