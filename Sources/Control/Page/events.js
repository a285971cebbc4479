// The list of events, the latest first.

import { follow, get, Unreachable } from "./api.js";
import { html, timeOfDay } from "./elements.js";

const capacity = 200;
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The CSS classes of entries, by severity. */
const classes = { error: "bad", warning: "doubtful", info: "" };

function entryOf(event) {
    const place = [event.channel === "*" ? "all channels" : event.channel, event.input, (event.renditions ?? []).join(", ")]
        .filter(Boolean);
    return html("li", { class: classes[event.severity] ?? "" },
        html("time", { datetime: event.time }, timeOfDay(Date.parse(event.time))),
        html("span", { class: "place" }, place.join(" · ")), " ",
        html("span", {}, event.message));
}

/** Fills a list with events for ever, and calls `hear` with each. */
export async function followEvents(list, hear) {
    let newest = 0;
    const take = (event) => {
        newest = event.number;
        list.prepend(entryOf(event));
        while (list.childElementCount > capacity) list.lastElementChild.remove();
        hear(event);
    };
    for (;;) {
        try {
            if (newest === 0) (await get(`events?limit=${capacity}`)).forEach(take);
            await follow(newest, take);
        } catch (error) {
            // An operator who gave no token is asked again by the next request that needs one.
            await pause(error instanceof Unreachable ? 2 : 10);
        }
        await pause(0.5);
    }
}
