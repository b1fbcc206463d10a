// SPDX-License-Identifier: Apache-2.0
async function drawSweepPage() {}
