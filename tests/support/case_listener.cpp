// SPDX-License-Identifier: Apache-2.0
#include "tests/support/case_listener.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace vnpu::test {

namespace {

sim::CaseSession* connected = nullptr;

std::string shortPath(const char* file) {
    const std::string path = file;
    const std::size_t begin = path.rfind("/tests/");
    return begin == std::string::npos ? path : path.substr(begin + 1);
}

sim::CaseName nameOf(const doctest::TestCaseData& data) {
    return {.suite = data.m_test_suite,
            .name = data.m_name,
            .file = fmt::format("{}:{}", shortPath(data.m_file.c_str()), data.m_line)};
}

/// What INFO, CAPTURE and the message of an assertion say.
std::string contextText() {
    std::ostringstream out;
    for (int i = 0; i < doctest::IReporter::get_num_active_contexts(); ++i) {
        out << (i == 0 ? "" : "; ");
        doctest::IReporter::get_active_contexts()[i]->stringify(&out);
    }
    return out.str();
}

/// A case of SystemC runs in a process of its own, whose output is the context: the line with its
/// first failure says more than that the process failed.
std::string firstErrorIn(const std::string& output) {
    std::istringstream lines(output);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.find(": ERROR:") != std::string::npos) {
            return line;
        }
    }
    return "";
}

std::string textOf(const doctest::AssertData& data) {
    const std::string place = fmt::format("{}:{}", shortPath(data.m_file), data.m_line);
    std::string text =
            fmt::format("{}: {}( {} )", place, doctest::assertString(data.m_at), data.m_expr);
    if (data.m_threw) {
        return text + fmt::format(" threw {}", data.m_exception.c_str());
    }
    const std::string values = data.m_decomp.c_str();
    text += values.empty() ? " is not so" : fmt::format(" is not so: {}", values);
    const std::string context = contextText();
    if (context.empty()) {
        return text;
    }
    const std::string inner = firstErrorIn(context);
    return inner.empty() ? text + "; " + context : inner + "\n" + text + "\n" + context;
}

}  // namespace

void CaseListener::connect(sim::CaseSession* session) {
    connected = session;
}

void CaseListener::report_query(const doctest::QueryData& query) {
    for (unsigned i = 0; connected != nullptr && i < query.num_data; ++i) {
        if (!connected->selects(nameOf(*query.data[i]))) {
            // doctest keeps the cases in a set, whose order does not depend on this member.
            const_cast<doctest::TestCaseData*>(query.data[i])->m_skip = true;
        }
    }
}

void CaseListener::test_run_end(const doctest::TestRunStats& /*stats*/) {
    if (connected != nullptr) {
        connected->finish();
    }
}

void CaseListener::test_case_start(const doctest::TestCaseData& data) {
    failures_.clear();
    if (connected != nullptr) {
        connected->begin(nameOf(data));
    }
}

void CaseListener::test_case_end(const doctest::CurrentTestCaseStats& stats) {
    if (connected == nullptr) {
        return;
    }
    sim::CaseOutcome outcome;
    if (!stats.testCaseSuccess) {
        outcome.result = sim::CaseResult::kFailed;
        outcome.message = failures_.empty() ? "failed without a failed assertion"
                                            : fmt::format("{}", fmt::join(failures_, "\n"));
    }
    connected->end(std::move(outcome));
}

void CaseListener::test_case_exception(const doctest::TestCaseException& exception) {
    failures_.push_back(fmt::format("{}: {}", exception.is_crash ? "crashed" : "threw",
                                    exception.error_string.c_str()));
}

void CaseListener::log_assert(const doctest::AssertData& data) {
    if (data.m_failed && (data.m_at & doctest::assertType::is_warn) == 0) {
        failures_.push_back(textOf(data));
    }
}

void CaseListener::log_message(const doctest::MessageData& data) {
    if ((data.m_severity & doctest::assertType::is_warn) == 0) {
        failures_.push_back(fmt::format("{}:{}: {}", shortPath(data.m_file), data.m_line,
                                        data.m_string.c_str()));
    }
}

}  // namespace vnpu::test
