// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Pixels from left and top (within) to right and bottom (without).
typedef struct ARect {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
} ARect;
