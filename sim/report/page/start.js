// SPDX-License-Identifier: Apache-2.0
// Opens the page: reads its data and calls the function that draws this kind of results.

/** By data.kind: fills the page. To add a kind, add its function here and let a program write its data. */
const kPages = {
    run: drawRunPage,
    sweep: drawSweepPage,
    validate: drawValidatePage,
    compare: drawComparePage,
    live: drawLivePage,
};

function tellError(error) {
    console.error(error);
    document.documentElement.dataset.state = "failed";
    document.getElementById("main").prepend(el("p", {class: "error", role: "alert"}, `This page can't be drawn: ${error.message ?? error}`));
}

function setUpTheme() {
    const button = document.getElementById("theme");
    readTheme();
    const label = () => {
        button.textContent = theme.isDark ? "☀ light" : "☾ dark";
    };
    const toggle = () => {
        changeTheme(theme.isDark ? "light" : "dark");
        label();
    };
    button.addEventListener("click", toggle);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        changeTheme();
        label();
    });
    document.addEventListener("keydown", (event) => {
        const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
        if (event.key === "t" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
            toggle();
        }
        if (event.key === "Escape") {
            hideTip();
        }
    });
    label();
}

async function openPage() {
    addEventListener("error", (event) => tellError(event.error ?? event.message));
    addEventListener("unhandledrejection", (event) => tellError(event.reason));
    const data = JSON.parse(document.getElementById("data").textContent);
    document.getElementById("title").textContent = document.title;
    setUpTheme();
    await kPages[data.kind](data);
    document.documentElement.dataset.state = "ready";
    if (location.hash) {
        document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
}
