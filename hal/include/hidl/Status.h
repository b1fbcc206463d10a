// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlInternal.h>
#include <utils/Errors.h>
#include <utils/StrongPointer.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

namespace android::hardware {

/// The result of a call's transport; the method's own result is not part of it.
class Status final {
  public:
    enum Exception : int32_t {
        EX_NONE = 0,
        EX_SECURITY = -1,
        EX_BAD_PARCELABLE = -2,
        EX_ILLEGAL_ARGUMENT = -3,
        EX_NULL_POINTER = -4,
        EX_ILLEGAL_STATE = -5,
        EX_NETWORK_MAIN_THREAD = -6,
        EX_UNSUPPORTED_OPERATION = -7,
        EX_HAS_REPLY_HEADER = -128,
        EX_TRANSACTION_FAILED = -129,
    };

    Status() = default;

    static Status ok() { return Status(); }
    static Status fromExceptionCode(int32_t exceptionCode);
    static Status fromExceptionCode(int32_t exceptionCode, const char* message);
    static Status fromStatusT(status_t status);

    bool isOk() const { return exception_ == EX_NONE; }
    int32_t exceptionCode() const { return exception_; }
    const char* exceptionMessage() const { return message_.c_str(); }
    /// OK unless the exception is EX_TRANSACTION_FAILED.
    status_t transactionError() const { return transactionError_; }
    std::string description() const;

  private:
    Status(int32_t exceptionCode, status_t transactionError, std::string message);

    int32_t exception_ = EX_NONE;
    status_t transactionError_ = OK;
    std::string message_;
};

std::ostream& operator<<(std::ostream& out, const Status& status);

namespace details {

/// The common part of every Return: a Status, and whether the caller checked it. Destroying or
/// overwriting an unchecked failure aborts the process. Owned by one thread.
class return_status {
  public:
    return_status() = default;
    return_status(const Status& status) : status_(status) {}
    return_status(const return_status&) = delete;
    return_status(return_status&& other) noexcept;
    ~return_status();

    return_status& operator=(const return_status&) = delete;
    return_status& operator=(return_status&& other) noexcept;

    bool isOk() const {
        isChecked_ = true;
        return status_.isOk();
    }
    bool isOkUnchecked() const { return status_.isOk(); }
    bool isDeadObject() const {
        isChecked_ = true;
        return status_.transactionError() == DEAD_OBJECT;
    }
    std::string description() const {
        isChecked_ = true;
        return status_.description();
    }
    const Status& status() const {
        isChecked_ = true;
        return status_;
    }

  protected:
    /// Aborts the process if the call failed and has no value.
    void onValueRetrieval() const;

  private:
    void requireChecked() const;

    Status status_;
    mutable bool isChecked_ = false;
};

}  // namespace details

/// The result of an interface's method: a T, or the Status of the failure.
template <typename T>
class Return : public details::return_status {
  public:
    Return(T value) : value_(std::move(value)) {}
    Return(const Status& status) : return_status(status) {}
    Return(Return&&) noexcept = default;
    Return& operator=(Return&&) noexcept = default;

    operator T() const {
        onValueRetrieval();
        return value_;
    }
    T withDefault(T fallback) { return isOk() ? value_ : fallback; }

  private:
    T value_{};
};

template <typename T>
class Return<sp<T>> : public details::return_status {
  public:
    Return(T* value) : value_(value) {}
    template <typename U>
    Return(U* value) : value_(value) {}
    Return(sp<T> value) : value_(std::move(value)) {}
    template <typename U>
    Return(const sp<U>& value) : value_(value) {}
    Return(const Status& status) : return_status(status) {}
    Return(Return&&) noexcept = default;
    Return& operator=(Return&&) noexcept = default;

    operator sp<T>() const {
        onValueRetrieval();
        return value_;
    }
    sp<T> withDefault(sp<T> fallback) { return isOk() ? value_ : fallback; }

  private:
    sp<T> value_;
};

template <>
class Return<void> : public details::return_status {
  public:
    Return() = default;
    Return(const Status& status) : return_status(status) {}
    Return(Return&&) noexcept = default;
    Return& operator=(Return&&) noexcept = default;
};

inline Return<void> Void() {
    return Return<void>();
}

}  // namespace android::hardware
