// SPDX-License-Identifier: Apache-2.0
// Numbers as text, with their units.

const kScales = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

/** Four digits, with a prefix where the number is large or has a unit: "12.35 M", "56.82 mJ". */
function shortNumber(value, unit = "") {
    if (value === null || value === undefined || Number.isNaN(value)) {
        return "–";
    }
    const size = Math.abs(value);
    const found = size === 0 || (!unit && size < 1e4) ? null : kScales.find(([scale]) => size >= scale);
    const [scale, prefix] = found ?? [1, ""];
    return `${trimmed(value / scale, 4)} ${prefix}${unit}`.trim();
}

/** `digits` significant digits without zeros at the end. */
function trimmed(value, digits) {
    if (value === 0 || !Number.isFinite(value)) {
        return String(value);
    }
    if (Number.isInteger(value) && Math.abs(value) < 1e7) {
        return String(value);
    }
    const text = value.toPrecision(digits);
    return text.includes("e") ? Number(text).toExponential().replace("e+", "e") : String(Number(text));
}

/** An integer in groups of three digits. */
function integer(value) {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/** A duration of nanoseconds. */
function duration(ns) {
    if (ns === 0) {
        return "0";
    }
    for (const [scale, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) {
        if (Math.abs(ns) >= scale) {
            return `${trimmed(ns / scale, 5)} ${unit}`;
        }
    }
    return `${trimmed(ns, 4)} ns`;
}

/** A moment in milliseconds since power-on, exact to the nanosecond. */
function moment(ns) {
    return `${(ns / 1e6).toFixed(6)} ms`;
}

function percent(share, digits = 1) {
    return Number.isFinite(share) ? `${(100 * share).toFixed(digits)} %` : "–";
}

function milliseconds(value) {
    return value === null || value === undefined ? "–" : value.toFixed(3);
}
