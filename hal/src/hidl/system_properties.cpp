// SPDX-License-Identifier: Apache-2.0
#include <sys/system_properties.h>

// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __system_property_get(const char* /*name*/, char* value) {
    value[0] = '\0';
    return 0;
}
