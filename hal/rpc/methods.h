// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/Status.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "hal/rpc/codec.h"
#include "hal/rpc/remote.h"

// The encoding of a method is derived from its declaration: its arguments, its results (by value or
// through a callback), and its position in the list of its interface.

namespace vnpu::hal::rpc {

namespace details {

/// Whether a type contains objects.
template <typename T>
struct CarriesObjects : std::false_type {};
template <typename T>
struct CarriesObjects<android::sp<T>> : std::true_type {};
template <typename T>
struct CarriesObjects<android::hardware::hidl_vec<T>> : CarriesObjects<T> {};
template <typename... Ts>
struct CarriesObjects<std::tuple<Ts...>> : std::disjunction<CarriesObjects<Ts>...> {};

template <typename T>
struct ResultCallback : std::false_type {};
template <typename... Ts>
struct ResultCallback<std::function<void(Ts...)>> : std::true_type {
    using Results = std::tuple<std::decay_t<Ts>...>;
};

/// The last parameter type of a method, or void if it has none.
template <typename... Ts>
struct LastOf {
    using Type = void;
};
template <typename T, typename... Ts>
struct LastOf<T, Ts...> {
    using Type = std::tuple_element_t<sizeof...(Ts), std::tuple<T, Ts...>>;
};

template <typename Member>
struct Signature;
template <typename I, typename R, typename... Ts>
struct Signature<android::hardware::Return<R> (I::*)(Ts...)> {
    using Interface = I;
    using Result = R;
    using Last = std::decay_t<typename LastOf<Ts...>::Type>;

    static constexpr bool kHasCallback = ResultCallback<Last>::value;
    static constexpr size_t kArguments = sizeof...(Ts) - (kHasCallback ? 1 : 0);

    template <size_t... kIndexes>
    static auto argumentsOf(std::index_sequence<kIndexes...>)
            -> std::tuple<std::decay_t<std::tuple_element_t<kIndexes, std::tuple<Ts...>>>...>;
    static auto resultsOf() {
        if constexpr (kHasCallback) {
            return typename ResultCallback<Last>::Results();
        } else if constexpr (std::is_void_v<R>) {
            return std::tuple<>();
        } else {
            return std::tuple<R>();
        }
    }

    using Arguments = decltype(argumentsOf(std::make_index_sequence<kArguments>()));
    using Results = decltype(resultsOf());
};

/// Reads all values; returns the reason of a failure, or an empty string.
template <typename... Ts>
std::string readAll(ParcelReader& reader, std::tuple<Ts...>& values) {
    std::apply([&](auto&... each) { (rpc::read(reader, each), ...); }, values);
    const auto finished = reader.finish();
    return finished ? "" : finished.error();
}

}  // namespace details

enum class Wait { kForAnswer, kForNothing };

/// A method of an interface, as an entry of its list (methods.def).
template <auto kMember, Wait kWait = Wait::kForAnswer>
struct Method {
    using Signature = details::Signature<decltype(kMember)>;
    using Interface = typename Signature::Interface;
    using Arguments = typename Signature::Arguments;
    using Results = typename Signature::Results;

    using Pointer = decltype(kMember);

    static constexpr auto kPointer = kMember;
    static constexpr bool kIsWaitedFor = kWait == Wait::kForAnswer;
    static constexpr bool kCarriesObjects =
            details::CarriesObjects<Arguments>::value || details::CarriesObjects<Results>::value;

    /// Calls the object with untrusted arguments.
    static Reply serve(Interface& object, Parcel parcel) {
        using android::hardware::Status;
        ParcelReader reader(std::move(parcel));
        Arguments arguments;
        if (const std::string failure = details::readAll(reader, arguments); !failure.empty()) {
            return {failed(Status::EX_BAD_PARCELABLE, failure), {}};
        }
        ResultWriter results;
        if (const Status status = invoke(object, arguments, results); !status.isOk()) {
            return {status, {}};
        }
        auto written = results.finish();
        if (!written) {
            return {failed(Status::EX_TRANSACTION_FAILED, written.error()), {}};
        }
        return {Status::ok(), std::move(*written)};
    }

    /// Calls the remote object, whose answer is untrusted.
    template <typename... Ts>
    static android::hardware::Return<typename Signature::Result> call(RemoteReference& remote,
                                                                      MethodId id,
                                                                      const Ts&... given) {
        using android::hardware::Status;
        const auto all = std::tie(given...);
        ParcelWriter writer;
        writeArguments(writer, all, std::make_index_sequence<Signature::kArguments>());
        auto written = writer.finish();
        if (!written) {
            return failed(Status::EX_TRANSACTION_FAILED, written.error());
        }
        if constexpr (!kIsWaitedFor) {
            return remote.send(id, std::move(*written));
        } else {
            Reply reply = remote.call(id, std::move(*written));
            if (!reply.status.isOk()) {
                return reply.status;
            }
            ParcelReader reader(std::move(reply.results));
            Results results;
            if (const std::string failure = details::readAll(reader, results); !failure.empty()) {
                return failed(Status::EX_BAD_PARCELABLE, failure);
            }
            if constexpr (Signature::kHasCallback) {
                std::apply(std::get<Signature::kArguments>(all), results);
                return android::hardware::Void();
            } else if constexpr (std::is_void_v<typename Signature::Result>) {
                return android::hardware::Void();
            } else {
                return std::get<0>(std::move(results));
            }
        }
    }

  private:
    /// Encodes the results of a method inside its callback; only the first call counts.
    class ResultWriter {
      public:
        template <typename... Ts>
        void take(const Ts&... values) {
            if (!std::exchange(hasResults_, true)) {
                (Codec<Ts>::write(writer_, values), ...);
            }
        }
        tl::expected<Parcel, std::string> finish() {
            if (!hasResults_) {
                writer_.fail("the method gave no results");
            }
            return writer_.finish();
        }

      private:
        ParcelWriter writer_;
        bool hasResults_ = false;
    };

    template <typename Tuple, size_t... kIndexes>
    static void writeArguments(ParcelWriter& writer, const Tuple& all,
                               std::index_sequence<kIndexes...> /*indexes*/) {
        (Codec<std::tuple_element_t<kIndexes, Arguments>>::write(writer, std::get<kIndexes>(all)),
         ...);
    }

    static android::hardware::Status invoke(Interface& object, const Arguments& arguments,
                                            ResultWriter& results) {
        return std::apply(
                [&](const auto&... each) {
                    if constexpr (Signature::kHasCallback) {
                        return (object.*kMember)(
                                       each...,
                                       [&](const auto&... values) { results.take(values...); })
                                .status();
                    } else {
                        const auto returned = (object.*kMember)(each...);
                        if (returned.isOk()) {
                            if constexpr (std::is_void_v<typename Signature::Result>) {
                                results.take();
                            } else {
                                results.take(static_cast<typename Signature::Result>(returned));
                            }
                        }
                        return returned.status();
                    }
                },
                arguments);
    }
};

}  // namespace vnpu::hal::rpc
