// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/ci/case_session.h"

namespace vnpu::test {

/// Reports every test case to a session. doctest makes it, calls it under its own lock, and
/// destroys it after a run.
class CaseListener : public doctest::IReporter {
  public:
    /// To be called before a run; the session must outlive it. Null: the listener does nothing.
    static void connect(sim::CaseSession* session);

    explicit CaseListener(const doctest::ContextOptions& /*options*/) {}

    /// Of a list of cases: leaves out those that the session does not select.
    void report_query(const doctest::QueryData& query) override;
    void test_run_start() override {}
    /// Writes the files; also after a crash, at which doctest ends the run.
    void test_run_end(const doctest::TestRunStats& stats) override;
    void test_case_start(const doctest::TestCaseData& data) override;
    void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override;
    void test_case_exception(const doctest::TestCaseException& exception) override;
    void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& data) override;
    void log_message(const doctest::MessageData& data) override;
    void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}

  private:
    void add(const std::string& text);

    std::vector<std::string> failures_;  // of the present case
};

}  // namespace vnpu::test
