// Several channels on one page, synchronized.

import { GroupClock } from "./group-clock.js";
import { Player } from "./player.js";

/** The most channels on one page: about as many as a browser decodes at once. */
const most = 9;

/** The channels that a fragment of an address names, `#channels=news,sport`; none for all, `#channels`; or null. */
export function sharedChannels(fragment) {
    const names = new URLSearchParams(fragment.replace(/^#/, "")).get("channels");
    return names === null ? null : names.split(",").filter(Boolean);
}

/** A player for each channel, which all show the same UTC; one of them can be heard. */
export class SideBySide {
    #places = [];
    #clock = new GroupClock();

    /** Shows channels `{name, url}` with one of some names in an element; all where no name is given. */
    constructor(container, channels, names, query) {
        const chosen = channels.filter(({ name }) => names.length === 0 || names.includes(name)).slice(0, most);
        if (chosen.length === 0) container.textContent = "This origin has none of these channels";
        this.#places = chosen.map((channel) => this.#place(channel, query));
        container.append(...this.#places.map(({ figure }) => figure));
        this.#hear(this.#places[0]);
        setInterval(() => this.#show(), 250);
    }

    /** The state of each channel at one moment, for tests. */
    get members() {
        return this.#places.map(({ name, player }) => ({ name, state: player.state, utc: player.utc }));
    }

    #place({ name, url }, query) {
        const figure = document.createElement("figure");
        const video = Object.assign(document.createElement("video"), { playsInline: true, muted: true });
        const caption = document.createElement("figcaption");
        figure.append(video, caption);
        const player = new Player(video, url, query);
        const place = { name, figure, video, caption, player };
        video.addEventListener("click", () => this.#hear(place));
        player.clock = () => this.#now();
        player.start();
        return place;
    }

    /** The UTC that all players display; null until all have begun. */
    #now() {
        const members = this.#places
            .map(({ player }) => player)
            // The other players do not wait for a channel that has failed or stopped.
            .filter(({ state, isNative, tracks }) =>
                state !== "failed" && !isNative && !tracks.staleRendition && !tracks.unansweredRendition)
            .map(({ utc, tracks: { edge, holdBack, pace } }) => ({ edge: utc === null ? null : edge, holdBack, pace }));
        return this.#clock.look(performance.now() / 1000, members);
    }

    #hear(place) {
        for (const other of this.#places) {
            other.video.muted = other !== place || !other.video.muted;
            other.figure.classList.toggle("heard", !other.video.muted);
        }
    }

    #show() {
        const now = this.#now();
        for (const { name, caption, player: { state, reason, utc } } of this.#places) {
            const late = now === null || utc === null ? "" : `, ${Math.round(1000 * (now - utc))} ms`;
            const latency = utc === null ? "" : ` · ${(Date.now() / 1000 - utc).toFixed(1)} s behind this clock${late}`;
            caption.textContent = state === "playing" ? `${name}${latency}` : `${name} · ${reason ?? state}`;
        }
    }
}
