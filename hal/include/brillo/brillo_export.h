// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Makes a symbol of a shared library visible outside it.
#define BRILLO_EXPORT __attribute__((visibility("default")))
