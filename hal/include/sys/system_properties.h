// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The largest size of a property's value in bytes, including the final zero.
#define PROP_VALUE_MAX 92  // source: Android 11, Bionic's limit

extern "C" {

/// A host has no system properties, so each is unset: writes "" and returns its length, 0.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is Android's
int __system_property_get(const char* name, char* value);
}
