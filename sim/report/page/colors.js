// SPDX-License-Identifier: Apache-2.0
// Colors that stay apart for people who see fewer of them: Okabe and Ito's for clients and series, brighter where the page is
// dark. Operations have many colors, so their names stand in the bars and tooltips as well.

const kSeriesLight = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#5f5f5f"];
const kSeriesDark = ["#4aa8ff", "#f58742", "#2ec99c", "#e79ac9", "#f2bd3f", "#9bdcff", "#efe24a", "#b5b5b5"];
const kOperations = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7", "#9c755f", "#86bcb6"];

function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The color of the i-th client or series. */
function seriesColor(i) {
    const palette = isDark() ? kSeriesDark : kSeriesLight;
    return i < 0 ? cssColor("--muted") : palette[i % palette.length];
}

function operationColor(i) {
    return i < 0 ? cssColor("--muted") : kOperations[i % kOperations.length];
}

const cssColors = new Map();

/** A color variable of page.css; remembered until the theme changes. */
function cssColor(name) {
    if (!cssColors.has(name)) {
        cssColors.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    }
    return cssColors.get(name);
}

/** What is to be drawn again when the theme changes. */
const redraws = [];

/** Calls `draw` now and whenever the theme changes. */
function drawThemed(draw) {
    redraws.push(draw);
    draw();
}

function changeTheme(theme) {
    if (theme) {
        document.documentElement.dataset.theme = theme;
    }
    cssColors.clear();
    redraws.forEach((draw) => draw());
}
