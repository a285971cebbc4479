// Questions to the operator, one at a time, in the page's dialog.

import { post, Refused } from "./api.js";
import { html } from "./elements.js";

const dialog = document.getElementById("dialog");
/** One question waits for another. */
let latest = Promise.resolve();
/** Closes the notice that is shown; a question does not wait for it. */
let closeNotice = () => {};

/** Calls `left` when Escape closes the dialog; returns a function that stops this. */
function onLeaving(left) {
    // If another dialog is open by now, the event belongs to the previous one.
    const hear = () => dialog.open || left();
    dialog.addEventListener("close", hear);
    return () => dialog.removeEventListener("close", hear);
}

/**
 * Shows the element that `content(close)` returns, until `close(value)` is called or Escape closes the dialog.
 *
 * Resolves to the value, or to null after Escape.
 */
function show(content) {
    const shown = latest.then(() => new Promise((resolve) => {
        const close = (value) => {
            forget();
            dialog.close();
            resolve(value);
        };
        const forget = onLeaving(() => {
            forget();
            resolve(null);
        });
        closeNotice();
        dialog.replaceChildren(content(close));
        dialog.showModal();
    }));
    latest = shown.catch(() => {});
    return shown;
}

/** Shows a notice, the element that `content(close)` returns, until Escape, a question or `close` closes it; returns `close`. */
function notify(content) {
    let isOver = false;
    let forget = () => {};
    const close = () => {
        if (isOver) return;
        isOver = true;
        forget();
        if (closeNotice !== close) return;
        closeNotice = () => {};
        dialog.close();
    };
    latest.then(() => {
        if (isOver) return;
        closeNotice();
        closeNotice = close;
        forget = onLeaving(close);
        dialog.replaceChildren(content(close));
        dialog.showModal();
    });
    return close;
}

/** Creates a form that Return submits, unless `isReady` is false. */
function form(title, content, action, submit, close, isReady = true) {
    return html("form", {
        method: "dialog",
        onsubmit: (event) => {
            event.preventDefault();
            submit();
        },
    },
    html("h2", { id: "dialog-title" }, title),
    ...content,
    html("div", { class: "actions" },
        html("button", { type: "button", onclick: () => close(null) }, isReady ? "Cancel" : "Close"),
        isReady ? html("button", { type: "submit", class: "primary" }, action) : null));
}

/** Asks for confirmation to put an input on air; resolves to `{hold}`, or to null. */
export function confirmSelection(channel, input) {
    const hold = html("input", { type: "checkbox", id: "hold" });
    const doubts = [];
    if (!input.connected) doubts.push("It is not connected.");
    if (input.score < 100) doubts.push(`Its score is ${input.score}: ${input.reasons.join("; ") || "it is not whole"}.`);
    return show((close) => form(`Put ${input.name} on air on ${channel}?`, [
        html("p", {}, "It fills segments as soon as possible, until it is lost or the primary has whole segments again."),
        doubts.length > 0 ? html("p", { class: "doubt" }, doubts.join(" ")) : null,
        html("label", { class: "check" }, hold,
            html("span", {}, "Hold it, even if it is lost, until the channel chooses automatically again")),
    ].filter(Boolean), "Put on air", () => close({ hold: hold.checked }), close));
}

/** Asks for confirmation to let the channel choose its input; resolves to true, or to null. */
export function confirmAutomatic(channel, held) {
    return show((close) => form(`Let ${channel} choose its input again?`, [
        html("p", {}, `It is held at ${held}. The channel will then prefer inputs with whole segments, and primaries to backups.`),
    ], "Choose automatically", () => close(true), close));
}

/** Shows the reasons why a request was refused. */
export function tell(title, problems) {
    return show((close) => form(title, [html("ul", { class: "problems" }, ...problems.map((text) => html("li", {}, text)))],
        "", () => close(null), close, false));
}

/** Shows that the packager does not answer; returns a function that closes the notice. */
export function tellUnanswered(title, text) {
    return notify((close) => form(title, [html("p", { class: "doubt" }, text)], "", close, close, false));
}

/** Shows a progress notice while `work` runs, and returns its result. */
async function meanwhile(title, work) {
    const close = notify((close) => form(title, [html("progress", { "aria-label": title })], "", close, close, false));
    try {
        return await work();
    } finally {
        close();
    }
}

/** Asks for a token; null where there is none. */
export function askForToken(wasRefused) {
    const field = html("input", { type: "password", autocomplete: "current-password", "aria-label": "Token", required: true });
    return show((close) => form("This packager asks for a token", [
        html("p", {}, wasRefused
            ? "The packager does not accept the token of this page."
            : "Ask the administrator of the packager for it. This tab remembers it until it is closed."),
        field,
    ], "Sign in", () => close(field.value.trim() || null), close));
}

const lists = [
    ["added", "Added"], ["changed", "Changed"], ["removed", "Removed"], ["unchanged", "Unchanged"],
];

/** Shows the changes that a reload would make, and reloads after confirmation; returns true if it has reloaded. */
export async function reload() {
    let report;
    try {
        report = await meanwhile("The packager reads the configuration…", () => post("reload?dry-run"));
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await tell("The configuration was refused", error.problems);
        return false;
    }
    const rows = lists.filter(([key]) => report[key].length > 0)
        .flatMap(([key, name]) => [html("dt", {}, name), html("dd", {}, report[key].join(", "))]);
    const isNews = ["added", "changed", "removed"].some((key) => report[key].length > 0);
    const content = [
        html("p", {}, isNews ? "The configuration has these changes, which are not in force yet."
            : "No channel would change."),
        html("dl", { class: "report" }, ...rows),
        report.removed.length > 0
            ? html("p", { class: "doubt" }, `Viewers of ${report.removed.join(", ")} will lose the stream.`) : null,
        report.warnings.length > 0
            ? html("ul", { class: "problems" }, ...report.warnings.map((text) => html("li", {}, text))) : null,
    ].filter(Boolean);
    const isWanted = await show((close) =>
        form("Reload the configuration?", content, "Reload", () => close(true), close));
    if (!isWanted) return false;
    try {
        await meanwhile("The packager reloads the configuration…", () => post("reload"));
        return true;
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await tell("Nothing has changed", error.problems);
        return false;
    }
}
