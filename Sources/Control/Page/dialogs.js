// Questions to the operator, one at a time, in the page's dialog.

import { post, Refused } from "./api.js";
import { html } from "./elements.js";

const dialog = document.getElementById("dialog");
/** One question waits for another. */
let latest = Promise.resolve();
/** Closes what is shown and asks nothing: a question does not wait for it. */
let closeNotice = () => {};

/** Calls `left` when the dialog is left by Escape, until what this returns is called. */
function onLeaving(left) {
    // An event that comes once there is another one to see is of the one before.
    const hear = () => dialog.open || left();
    dialog.addEventListener("close", hear);
    return () => dialog.removeEventListener("close", hear);
}

/**
 * Shows what `content(close)` returns until `close(value)` is called, or it is left by Escape.
 *
 * Resolves to the value; to null where it was left.
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

/** Shows what `content(close)` returns until `close()` is called, which this returns, or it is left, or there is a question. */
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

/** A form whose first button is what Return does. */
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

/** Whether to put an input on air: `{hold}`, or null. */
export function confirmSelection(channel, input) {
    const hold = html("input", { type: "checkbox", id: "hold" });
    const doubts = [];
    if (!input.connected) doubts.push("It is not connected.");
    if (input.score < 100) doubts.push(`Its score is ${input.score}: ${input.reasons.join("; ") || "it is not whole"}.`);
    return show((close) => form(`Put ${input.name} on air on ${channel}?`, [
        html("p", {}, "It fills segments from the next one on that can be. The next loss ends that, or the primary that is whole again."),
        doubts.length > 0 ? html("p", { class: "doubt" }, doubts.join(" ")) : null,
        html("label", { class: "check" }, hold,
            html("span", {}, "Hold it, whatever happens to it, until the choice is given back")),
    ].filter(Boolean), "Put on air", () => close({ hold: hold.checked }), close));
}

/** Whether the channel is to choose again. */
export function confirmAutomatic(channel, held) {
    return show((close) => form(`Let ${channel} choose its input again?`, [
        html("p", {}, `It is held at ${held}. From the next segment on what is whole is preferred to what is not, and the primary to its backup.`),
    ], "Choose automatically", () => close(true), close));
}

/** Shows why something was refused. */
export function tell(title, problems) {
    return show((close) => form(title, [html("ul", { class: "problems" }, ...problems.map((text) => html("li", {}, text)))],
        "", () => close(null), close, false));
}

/** Shows that there is no answer; returns what closes it. */
export function tellUnanswered(title, text) {
    return notify((close) => form(title, [html("p", { class: "doubt" }, text)], "", close, close, false));
}

/** Shows what is waited for while it is, and returns what it comes to. */
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
            ? "The one that this page has is not accepted, or no longer."
            : "It is in the configuration of whoever runs it. This tab remembers it until it is closed."),
        field,
    ], "Sign in", () => close(field.value.trim() || null), close));
}

const lists = [
    ["added", "Added"], ["changed", "Changed"], ["removed", "Removed"], ["unchanged", "Unchanged"],
];

/** Says what a reload would change, and does it if that is wanted: true where it was done. */
export async function reload() {
    let report;
    try {
        report = await meanwhile("The packager reads the configuration…", () => post("reload?dry-run"));
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await tell("The configuration cannot be taken up", error.problems);
        return false;
    }
    const rows = lists.filter(([key]) => report[key].length > 0)
        .flatMap(([key, name]) => [html("dt", {}, name), html("dd", {}, report[key].join(", "))]);
    const isNews = ["added", "changed", "removed"].some((key) => report[key].length > 0);
    const content = [
        html("p", {}, isNews ? "This is what the configuration says now, and the packager does not do yet."
            : "No channel would change."),
        html("dl", { class: "report" }, ...rows),
        report.removed.length > 0
            ? html("p", { class: "doubt" }, `Viewers of ${report.removed.join(", ")} get nothing any more.`) : null,
        report.warnings.length > 0
            ? html("ul", { class: "problems" }, ...report.warnings.map((text) => html("li", {}, text))) : null,
    ].filter(Boolean);
    const isWanted = await show((close) =>
        form("Reload the configuration?", content, "Reload", () => close(true), close));
    if (!isWanted) return false;
    try {
        await meanwhile("The packager takes the configuration up…", () => post("reload"));
        return true;
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await tell("Nothing has changed", error.problems);
        return false;
    }
}
