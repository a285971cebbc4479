// The operator page: all channels, their events, and the actions of an operator.

import { get, onTokenNeeded, Refused, Unreachable } from "./api.js";
import { Card } from "./card.js";
import { askForToken, reload, tell, tellUnanswered } from "./dialogs.js";
import { counted, html, setText, timeOfDay } from "./elements.js";
import { followEvents } from "./events.js";

const element = (id) => document.getElementById(id);
const cards = new Map();
/** The time of the packager's last answer, in milliseconds since 1970. */
let heardAt = null;
let polling = null;
/** Closes the notice that the packager does not answer. */
let closeUnanswered = () => {};

onTokenNeeded(askForToken);

function say(text) {
    setText(element("said"), text);
    setTimeout(() => element("said").textContent === text && setText(element("said"), ""), 8000);
}

function showChannels(statuses) {
    const names = new Set(statuses.map(({ name }) => name));
    for (const [name, card] of cards) {
        if (names.has(name)) continue;
        card.element.remove();
        cards.delete(name);
    }
    for (const [place, status] of statuses.entries()) {
        let card = cards.get(status.name);
        if (!card) {
            card = new Card(status.name, say);
            card.span = Number(element("span").value);
            cards.set(status.name, card);
            element("channels").insertBefore(card.element, element("channels").children[place] ?? null);
        }
        card.show(status);
    }
    if (statuses.length === 0) {
        element("channels").replaceChildren(html("p", { class: "empty" }, "This packager has no channel."));
    } else {
        element("channels").querySelector(".empty")?.remove();
    }
}

function showTotals(statuses, origin) {
    // A channel that waits for its first media has no problem yet.
    const starting = statuses.filter(({ state }) => state === "starting").length;
    const troubled = statuses.filter(({ state, score }) => state !== "starting" && score < 60).length;
    const parts = [
        counted(statuses.length, "channel"),
        starting > 0 ? `${starting} starting` : null,
        troubled > 0 ? `${troubled} in trouble` : null,
        counted(origin.viewers, "viewer"),
        counted(origin.connections, "connection"),
    ];
    setText(element("totals"), parts.filter(Boolean).join(" · "));
    document.title = `${troubled > 0 ? `(${troubled}) ` : ""}Operator · packager`;
}

function showBanner(text) {
    element("banner").hidden = text === null;
    if (text !== null) setText(element("banner"), text);
    document.body.classList.toggle("old", text !== null && heardAt !== null);
}

async function poll() {
    try {
        const [statuses, origin] = await Promise.all([get("channels"), get("origin")]);
        heardAt = Date.now();
        showBanner(null);
        closeUnanswered();
        showChannels(statuses);
        showTotals(statuses, origin);
    } catch (error) {
        const since = heardAt === null ? "" : ` What you see is of ${timeOfDay(heardAt)} UTC.`;
        showBanner(error instanceof Refused ? `The packager refuses: ${error.message}` : `${error.message}.${since}`);
    }
}

/** Polls the state every two seconds, and at once after an event or when the page becomes visible. */
async function pollSoon() {
    clearTimeout(polling);
    polling = null;
    if (!document.hidden) await poll();
    polling ??= setTimeout(pollSoon, 2000);
}

element("span").addEventListener("change", ({ target }) => {
    for (const card of cards.values()) card.span = Number(target.value);
});
element("reload").addEventListener("click", async () => {
    element("reload").disabled = true;
    try {
        if (await reload()) say("The configuration was reloaded.");
    } catch (error) {
        if (error instanceof Unreachable) {
            closeUnanswered = tellUnanswered("No answer",
                `${error.message}. Once it does, its events say whether the configuration was taken up.`);
            say("The packager did not answer: its events say whether the configuration was taken up.");
        } else {
            await tell("The configuration was not read", [error.message]);
        }
    } finally {
        element("reload").disabled = false;
        element("reload").focus();
    }
});
document.addEventListener("visibilitychange", () => document.hidden || pollSoon());
setInterval(() => setText(element("clock"), `${timeOfDay(Date.now())} UTC`), 250);

await pollSoon();
followEvents(element("events"), (event) => {
    for (const [name, card] of cards) if (event.channel === name) card.hear(event);
    // The first events are from before the page was opened.
    if (Date.now() - Date.parse(event.time) < 10_000 && polling !== null) pollSoon();
});
