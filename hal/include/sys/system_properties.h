// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Bytes that a property's value takes at most, the zero at its end included.
#define PROP_VALUE_MAX 92  // source: Android 11, Bionic's limit

extern "C" {

/// A host has no system properties, so every one is unset: writes "" and gives its length, 0.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is Android's
int __system_property_get(const char* name, char* value);
}
