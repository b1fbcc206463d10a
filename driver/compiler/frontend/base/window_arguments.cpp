// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/window_arguments.h"

#include <fmt/format.h>

#include <string_view>

namespace vnpu::driver {
namespace {

/// The destination of an argument, its name in refusals and its least valid value.
struct ExtentArgument {
    std::uint32_t* value;
    std::string_view name;
    std::uint32_t least;
};

}  // namespace

Checked<WindowArguments> readPaddingAndStride(const OperationReader& operation, std::size_t first,
                                              bool isImplicit) {
    WindowArguments result;
    std::size_t next = first;
    if (isImplicit) {
        VNPU_TRY_ASSIGN(const auto scheme, operation.int32(next++, "padding scheme"));
        if (scheme != 1 && scheme != 2) {
            return unsupported(fmt::format("padding scheme is {}, expected 1 or 2", scheme));
        }
        result.scheme = static_cast<PaddingScheme>(scheme);
    } else {
        for (const ExtentArgument& argument :
             {ExtentArgument{&result.padLeft, "left padding", 0},
              ExtentArgument{&result.padRight, "right padding", 0},
              ExtentArgument{&result.padTop, "top padding", 0},
              ExtentArgument{&result.padBottom, "bottom padding", 0}}) {
            VNPU_TRY_ASSIGN(*argument.value,
                            operation.extent(next++, argument.name, argument.least));
        }
    }
    VNPU_TRY_ASSIGN(result.strideWidth, operation.extent(next, "stride width", 1));
    VNPU_TRY_ASSIGN(result.strideHeight, operation.extent(next + 1, "stride height", 1));
    return result;
}

Checked<void> readDilation(const OperationReader& operation, std::size_t first,
                           WindowArguments& arguments) {
    if (operation.isOmitted(first)) {
        return {};
    }
    VNPU_TRY_ASSIGN(arguments.dilationWidth, operation.extent(first, "dilation width", 1));
    VNPU_TRY_ASSIGN(arguments.dilationHeight, operation.extent(first + 1, "dilation height", 1));
    return {};
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
