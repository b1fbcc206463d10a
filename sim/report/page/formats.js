// SPDX-License-Identifier: Apache-2.0
// Numbers as text, with their units.

const kScales = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/** Four digits at most, with a prefix of the unit: "12.35 M". */
function shortNumber(value, unit = "") {
    if (value === null || value === undefined || Number.isNaN(value)) {
        return "–";
    }
    for (const [scale, prefix] of kScales) {
        if (Math.abs(value) >= scale * 10) {
            return `${trimmed(value / scale, 4)} ${prefix}${unit}`;
        }
    }
    return unit ? `${trimmed(value, 4)} ${unit}` : trimmed(value, 4);
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
