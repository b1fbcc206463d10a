// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/call_types.h"
#include "sim/platform/platform.h"
#include "sim/tflite_delegate/options.h"
#include "sim/tflite_delegate/subset_import.h"

namespace vnpu::sim::tflite_delegate {

/// Prepares the subset's model from the files of the cache's folder; without them, or where the
/// driver refuses them, it compiles the model and writes them. The files' names are a digest of the
/// model, the options and the cache's token. Any number of processes may share a folder.
PrepareResult prepareWithCache(ClientContext& context, const ImportedSubset& subset,
                               const Options& options, const PrepareOptions& how);

}  // namespace vnpu::sim::tflite_delegate
