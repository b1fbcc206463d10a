// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hidl/Status.h>

#include <ostream>
#include <utility>

namespace android::hardware {

Status::Status(int32_t exceptionCode, status_t transactionError, std::string message)
    : exception_(exceptionCode),
      transactionError_(transactionError),
      message_(std::move(message)) {}

Status Status::fromExceptionCode(int32_t exceptionCode) {
    return fromExceptionCode(exceptionCode, "");
}

Status Status::fromExceptionCode(int32_t exceptionCode, const char* message) {
    const status_t transactionError =
            exceptionCode == EX_TRANSACTION_FAILED ? FAILED_TRANSACTION : OK;
    return {exceptionCode, transactionError, message};
}

Status Status::fromStatusT(status_t status) {
    if (status == OK) {
        return ok();
    }
    return {EX_TRANSACTION_FAILED, status, ""};
}

std::string Status::description() const {
    if (isOk()) {
        return "ok";
    }
    if (exception_ == EX_TRANSACTION_FAILED) {
        return fmt::format("transaction failed with status {}{}{}", transactionError_,
                           message_.empty() ? "" : ": ", message_);
    }
    return fmt::format("exception {}{}{}", exception_, message_.empty() ? "" : ": ", message_);
}

std::ostream& operator<<(std::ostream& out, const Status& status) {
    return out << status.description();
}

namespace details {

return_status::return_status(return_status&& other) noexcept
    : status_(std::exchange(other.status_, Status())),
      isChecked_(std::exchange(other.isChecked_, true)) {}

return_status::~return_status() {
    requireChecked();
}

return_status& return_status::operator=(return_status&& other) noexcept {
    if (this != &other) {
        requireChecked();
        status_ = std::exchange(other.status_, Status());
        isChecked_ = std::exchange(other.isChecked_, true);
    }
    return *this;
}

void return_status::onValueRetrieval() const {
    if (!isOk()) {
        logAlwaysFatal(("the value of a failed call is wanted: " + description()).c_str());
    }
}

void return_status::requireChecked() const {
    if (!isChecked_ && !status_.isOk()) {
        logAlwaysFatal(("a failed call was not checked: " + status_.description()).c_str());
    }
}

}  // namespace details
}  // namespace android::hardware
