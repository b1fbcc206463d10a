// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/window_arguments.h"

namespace vnpu::driver {

Checked<PaddingScheme> readScheme(const OperationReader& operation, std::size_t i) {
    VNPU_TRY_ASSIGN(const auto scheme, operation.int32(i));
    if (scheme != 1 && scheme != 2) {
        return untiled();
    }
    return static_cast<PaddingScheme>(scheme);
}

Checked<WindowArguments> readWindow(const OperationReader& operation, std::size_t first,
                                    std::size_t ownCount) {
    using android::hardware::neuralnetworks::V1_3::OperandType;
    const std::size_t end = first + ownCount + 4;  // of the shortest form, which has a scheme
    const bool isImplicit =
            operation.inputCount() == end || operation.inputType(end) == OperandType::BOOL;
    WindowArguments result;
    std::size_t next = first;
    const auto read = [&](std::uint32_t& value, std::uint32_t least) -> Checked<void> {
        VNPU_TRY_ASSIGN(value, operation.extent(next++, least));
        return {};
    };
    if (isImplicit) {
        VNPU_TRY_ASSIGN(result.scheme, readScheme(operation, next++));
    } else {
        for (std::uint32_t* pad :
             {&result.padLeft, &result.padRight, &result.padTop, &result.padBottom}) {
            VNPU_TRY(read(*pad, 0));
        }
    }
    VNPU_TRY(read(result.strideWidth, 1));
    VNPU_TRY(read(result.strideHeight, 1));
    for (std::size_t i = 0; i < ownCount; ++i) {
        VNPU_TRY(read(result.own[i], 1));
    }
    VNPU_TRY_ASSIGN(result.activation, operation.activation(next++));
    VNPU_TRY_ASSIGN(result.isNchw, operation.boolean(next++));
    if (!operation.isOmitted(next)) {
        VNPU_TRY(read(result.dilationWidth, 1));
        VNPU_TRY(read(result.dilationHeight, 1));
    }
    return result;
}

Checked<void> applyWindow(const WindowArguments& arguments, WindowGeometry& geometry) {
    VNPU_TRY_ASSIGN(const auto rows,
                    walkWindow({geometry.inputHeight, geometry.filterHeight, arguments.strideHeight,
                                arguments.dilationHeight, arguments.scheme, arguments.padTop,
                                arguments.padBottom}));
    VNPU_TRY_ASSIGN(const auto columns,
                    walkWindow({geometry.inputWidth, geometry.filterWidth, arguments.strideWidth,
                                arguments.dilationWidth, arguments.scheme, arguments.padLeft,
                                arguments.padRight}));
    geometry.outputHeight = rows.output;
    geometry.outputWidth = columns.output;
    geometry.padTop = static_cast<std::int32_t>(rows.padHead);
    geometry.padLeft = static_cast<std::int32_t>(columns.padHead);
    geometry.strideHeight = arguments.strideHeight;
    geometry.strideWidth = arguments.strideWidth;
    geometry.dilationHeight = arguments.dilationHeight;
    geometry.dilationWidth = arguments.dilationWidth;
    return {};
}

}  // namespace vnpu::driver
