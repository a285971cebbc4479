// What has happened, the latest first.

import { follow, get, Unreachable } from "./api.js";
import { html, timeOfDay } from "./elements.js";

const capacity = 200;
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Classes of entries by how bad an event is. */
const classes = { error: "bad", warning: "doubtful", info: "" };

/** Whether one event says of another rendition what one before has said. */
function isAlike(event, other) {
    return event.rendition && ["channel", "kind", "input", "message"].every((name) => event[name] === other[name])
        && Math.abs(Date.parse(event.time) - Date.parse(other.time)) < 2000;
}

function entryOf(event, renditions) {
    const place = [event.channel === "*" ? "all channels" : event.channel, event.input, renditions.join(", ")]
        .filter(Boolean);
    return html("li", { class: classes[event.severity] ?? "" },
        html("time", { datetime: event.time }, timeOfDay(Date.parse(event.time))),
        html("span", { class: "place" }, place.join(" · ")), " ",
        html("span", {}, event.message));
}

/** Fills a list with events for ever, and calls `hear` with each. */
export async function followEvents(list, hear) {
    let newest = 0;
    /** What the first entry of the list shows. */
    let first = null;
    const take = (event) => {
        newest = event.number;
        const isMore = first !== null && isAlike(event, first.event);
        first = { event, renditions: [...(isMore ? first.renditions : []), event.rendition].filter(Boolean) };
        const entry = entryOf(event, first.renditions);
        if (isMore) list.firstElementChild.replaceWith(entry);
        else list.prepend(entry);
        while (list.childElementCount > capacity) list.lastElementChild.remove();
        hear(event);
    };
    for (;;) {
        try {
            if (newest === 0) (await get(`events?limit=${capacity}`)).forEach(take);
            await follow(newest, take);
        } catch (error) {
            // Whoever gave no token is asked again when something else needs one.
            await pause(error instanceof Unreachable ? 2 : 10);
        }
        await pause(0.5);
    }
}
