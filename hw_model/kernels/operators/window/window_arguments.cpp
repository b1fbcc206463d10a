// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/window_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kStridesAndActivation = 3;

std::int64_t spanOf(const WindowAxis& axis) {
    return (axis.window - 1) * axis.dilation + 1;
}

/// Reads INT32 scalars one after the other; records the first that is out of range.
class ScalarReader {
  public:
    ScalarReader(OperatorCall& call, std::size_t first) : call_(call), next_(first) {}

    std::int32_t read(std::string_view name, std::int32_t least) {
        const std::size_t index = next_++;
        if (status_ != JobStatus::kOk) {
            return least;
        }
        if (call_.isOmitted(index)) {
            status_ = call_.refuse(fmt::format("input {} ({}) is left out", index, name));
            return least;
        }
        const std::int32_t value = call_.int32(index);
        if (value < least) {
            status_ = call_.refuse(fmt::format("input {} ({}) is {}, expected at least {}", index,
                                               name, value, least));
        }
        return value;
    }

    std::size_t next() const { return next_; }
    JobStatus status() const { return status_; }

  private:
    OperatorCall& call_;
    std::size_t next_;
    JobStatus status_ = JobStatus::kOk;
};

std::size_t int32sFrom(const OperatorCall& call, std::size_t first) {
    std::size_t end = first;
    while (end < call.inputCount() && call.input(end).type == TensorType::kInt32Scalar &&
           call.input(end).elements() == 1) {
        ++end;
    }
    return end - first;
}

JobStatus readPadding(OperatorCall& call, const WindowForm& form, bool isImplicit,
                      ScalarReader& scalars, WindowArguments& result) {
    if (isImplicit) {
        const std::int32_t scheme = scalars.read("padding scheme", 1);
        if (scalars.status() == JobStatus::kOk && scheme > 2) {
            return call.refuse(fmt::format("input {} (padding scheme) is {}, expected 1 or 2",
                                           form.first, scheme));
        }
        result.scheme = static_cast<PaddingScheme>(scheme);
        return scalars.status();
    }
    const std::int32_t leastTail = form.mayCropTail ? std::numeric_limits<std::int32_t>::min() : 0;
    result.columns.padHead = scalars.read("left padding", 0);
    result.columns.padTail = scalars.read("right padding", leastTail);
    result.rows.padHead = scalars.read("top padding", 0);
    result.rows.padTail = scalars.read("bottom padding", leastTail);
    return scalars.status();
}

JobStatus readTail(OperatorCall& call, const WindowForm& form, std::size_t next,
                   WindowArguments& result) {
    if (next == call.inputCount()) {
        return JobStatus::kOk;
    }
    const Tensor& layout = call.input(next);
    if (layout.type != TensorType::kBoolScalar || layout.elements() != 1) {
        return call.refuse(fmt::format("input {} (layout) is no bool scalar", next));
    }
    result.isNchw = call.flag(next);
    ++next;
    if (next == call.inputCount()) {
        return JobStatus::kOk;
    }
    if (!form.mayDilate || int32sFrom(call, next) != 2 || next + 2 != call.inputCount()) {
        return call.refuse(fmt::format("{} inputs, expected {}{}", call.inputCount(), next,
                                       form.mayDilate ? " or two dilations more" : ""));
    }
    ScalarReader scalars(call, next);
    result.columns.dilation = scalars.read("dilation width", 1);
    result.rows.dilation = scalars.read("dilation height", 1);
    return scalars.status();
}

}  // namespace

JobStatus readWindowArguments(OperatorCall& call, const WindowForm& form, WindowArguments& result) {
    const std::size_t common = kStridesAndActivation + form.ownNames.size();
    const std::size_t count = int32sFrom(call, form.first);
    if (count != common + 1 && count != common + 4) {
        return call.refuse(fmt::format("{} int32 scalars from input {} on, expected {} or {}",
                                       count, form.first, common + 1, common + 4));
    }
    ScalarReader scalars(call, form.first);
    VNPU_TRY(readPadding(call, form, count == common + 1, scalars, result));
    result.columns.stride = scalars.read("stride width", 1);
    result.rows.stride = scalars.read("stride height", 1);
    for (std::size_t i = 0; i < form.ownNames.size(); ++i) {
        result.own.at(i) = scalars.read(form.ownNames[i], 1);
    }
    if (scalars.status() != JobStatus::kOk) {
        return scalars.status();
    }
    VNPU_TRY_ASSIGN(result.activation, readActivation(call, scalars.next()));
    return readTail(call, form, scalars.next() + 1, result);
}

void padSame(std::int64_t extent, WindowAxis& axis) {
    const std::int64_t steps = (extent + axis.stride - 1) / axis.stride;
    const std::int64_t missing = (steps - 1) * axis.stride + spanOf(axis) - extent;
    axis.padHead = std::max<std::int64_t>(missing, 0) / 2;
    axis.padTail = std::max<std::int64_t>(missing, 0) - axis.padHead;
}

JobStatus settleAxis(OperatorCall& call, PaddingScheme scheme, WindowAxis& axis) {
    if (scheme == PaddingScheme::kSame) {
        padSame(axis.input, axis);
    }
    const std::int64_t room = axis.input + axis.padHead + axis.padTail;
    if (room < spanOf(axis)) {
        return call.refuse(
                fmt::format("window spans {} elements, expected at most the {} that "
                            "input and padding have",
                            spanOf(axis), room));
    }
    axis.output = (room - spanOf(axis)) / axis.stride + 1;
    if (axis.output > std::numeric_limits<std::int32_t>::max()) {
        return call.refuse(fmt::format("output has an extent of {}", axis.output));
    }
    return JobStatus::kOk;
}

JobStatus readImageShape(OperatorCall& call, std::size_t index, bool isNchw, ImageShape& shape) {
    const Dimensions& d = call.input(index).dimensions;
    shape = ImageShape::of(d, isNchw);
    if (d.elements(1, 4) == 0) {
        return call.refuse(
                fmt::format("input {} has dimensions {}, {}, {}, {}, expected none but "
                            "the first to be 0",
                            index, d[0], d[1], d[2], d[3]));
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
