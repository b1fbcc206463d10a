// SPDX-License-Identifier: Apache-2.0
#include "sim/base/name_filter.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/error.h"

namespace vnpu::sim {

void NameFilter::Free::operator()(regex_t* expression) const {
    regfree(expression);
    std::default_delete<regex_t>()(expression);
}

NameFilter::NameFilter(const std::string& expression, const std::string& option) {
    if (expression.empty()) {
        return;
    }
    auto compiled = std::make_unique<regex_t>();
    const int error = regcomp(compiled.get(), expression.c_str(), REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
        std::array<char, 128> text{};
        regerror(error, compiled.get(), text.data(), text.size());
        throw InputError(fmt::format("{} {}: {}", option, expression, text.data()));
    }
    compiled_.reset(compiled.release());
}

bool NameFilter::fits(const std::string& name) const {
    return compiled_ == nullptr || regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace vnpu::sim
