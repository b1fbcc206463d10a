// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/window_arguments.h"

#include <fmt/format.h>

#include <string_view>

namespace vnpu::driver {
namespace {

/// Where an argument goes, what it is called and the least value that makes sense.
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
        const auto scheme = operation.int32(next++, "padding scheme");
        if (!scheme) {
            return tl::unexpected(scheme.error());
        }
        if (*scheme != 1 && *scheme != 2) {
            return unsupported(fmt::format("padding scheme is {}, expected 1 or 2", *scheme));
        }
        result.scheme = static_cast<PaddingScheme>(*scheme);
    } else {
        for (const ExtentArgument& argument :
             {ExtentArgument{&result.padLeft, "left padding", 0},
              ExtentArgument{&result.padRight, "right padding", 0},
              ExtentArgument{&result.padTop, "top padding", 0},
              ExtentArgument{&result.padBottom, "bottom padding", 0}}) {
            const auto value = operation.extent(next++, argument.name, argument.least);
            if (!value) {
                return tl::unexpected(value.error());
            }
            *argument.value = *value;
        }
    }
    const auto strideWidth = operation.extent(next, "stride width", 1);
    const auto strideHeight = operation.extent(next + 1, "stride height", 1);
    if (!strideWidth || !strideHeight) {
        return tl::unexpected(!strideWidth ? strideWidth.error() : strideHeight.error());
    }
    result.strideWidth = *strideWidth;
    result.strideHeight = *strideHeight;
    return result;
}

Checked<void> readDilation(const OperationReader& operation, std::size_t first,
                           WindowArguments& arguments) {
    if (operation.isOmitted(first)) {
        return {};
    }
    const auto width = operation.extent(first, "dilation width", 1);
    const auto height = operation.extent(first + 1, "dilation height", 1);
    if (!width || !height) {
        return tl::unexpected(!width ? width.error() : height.error());
    }
    arguments.dilationWidth = *width;
    arguments.dilationHeight = *height;
    return {};
}

Checked<void> applyWindow(const WindowArguments& arguments, WindowGeometry& geometry) {
    const auto rows = walkWindow({geometry.inputHeight, geometry.filterHeight,
                                  arguments.strideHeight, arguments.dilationHeight,
                                  arguments.scheme, arguments.padTop, arguments.padBottom});
    const auto columns = walkWindow({geometry.inputWidth, geometry.filterWidth,
                                     arguments.strideWidth, arguments.dilationWidth,
                                     arguments.scheme, arguments.padLeft, arguments.padRight});
    if (!rows || !columns) {
        return tl::unexpected(!rows ? rows.error() : columns.error());
    }
    geometry.outputHeight = rows->output;
    geometry.outputWidth = columns->output;
    geometry.padTop = static_cast<std::int32_t>(rows->padHead);
    geometry.padLeft = static_cast<std::int32_t>(columns->padHead);
    geometry.strideHeight = arguments.strideHeight;
    geometry.strideWidth = arguments.strideWidth;
    geometry.dilationHeight = arguments.dilationHeight;
    geometry.dilationWidth = arguments.dilationWidth;
    return {};
}

}  // namespace vnpu::driver
