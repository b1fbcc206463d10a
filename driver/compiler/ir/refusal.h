// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "driver/result.h"

namespace vnpu::driver {

/// Why an operation or a model cannot be compiled.
struct Refusal {
    enum class Kind : std::uint8_t {
        kUnsupported,   // the device or this compiler cannot do it
        kUndetermined,  // a value or shape is not known yet; it may turn out to be supported
        kInvalid,       // the caller left out or contradicted something
        kExhausted,     // it can never fit the device
    };
    Kind kind = Kind::kUnsupported;
    std::string reason;  // empty: untiled()
};

template <typename T>
using Checked = tl::expected<T, Refusal>;

/// A lowering's refusal to make tiles of an operation. The operation then runs whole on the DSP, so
/// that no reason would ever be shown.
inline tl::unexpected<Refusal> untiled() {
    return tl::unexpected<Refusal>(Refusal{});
}

inline tl::unexpected<Refusal> unsupported(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{Refusal::Kind::kUnsupported, std::move(reason)});
}

inline tl::unexpected<Refusal> undetermined(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{Refusal::Kind::kUndetermined, std::move(reason)});
}

inline tl::unexpected<Refusal> contradictory(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{Refusal::Kind::kInvalid, std::move(reason)});
}

inline tl::unexpected<Refusal> exhausted(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{Refusal::Kind::kExhausted, std::move(reason)});
}

}  // namespace vnpu::driver
