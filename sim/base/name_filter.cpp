// SPDX-License-Identifier: Apache-2.0
#include "sim/base/name_filter.h"

#include <fmt/format.h>
#include <regex.h>

#include <array>

#include "sim/base/error.h"

namespace vnpu::sim {

struct NameFilter::Compiled {
    regex_t expression{};
    bool isValid = false;

    ~Compiled() {
        if (isValid) {
            regfree(&expression);
        }
    }
};

NameFilter::NameFilter(const std::string& expression, const std::string& option) {
    if (expression.empty()) {
        return;
    }
    compiled_ = std::make_unique<Compiled>();
    const int error = regcomp(&compiled_->expression, expression.c_str(), REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
        std::array<char, 128> text{};
        regerror(error, &compiled_->expression, text.data(), text.size());
        throw InputError(fmt::format("{} {}: {}", option, expression, text.data()));
    }
    compiled_->isValid = true;
}

NameFilter::~NameFilter() = default;

bool NameFilter::fits(const std::string& name) const {
    return compiled_ == nullptr ||
           regexec(&compiled_->expression, name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace vnpu::sim
