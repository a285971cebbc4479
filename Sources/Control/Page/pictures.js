// Thumbnails: fetched while somebody can see them, and shown until there is a newer one.

import { getPicture } from "./api.js";
import { html } from "./elements.js";

/** A picture that follows a path of the control API. */
export class Picture {
    #path;
    #image;
    #interval;
    #fetchedAt = -Infinity;
    #isFetching = false;
    #isSeen = false;

    /** Asks no more often than every `interval` seconds. */
    constructor(path, alternative, interval) {
        this.#path = path;
        this.#interval = interval;
        this.#image = html("img", { alt: alternative, hidden: true });
        this.#image.addEventListener("error", () => this.#failed());
        this.element = html("div", { class: "picture" }, this.#image);
        new IntersectionObserver((entries) => {
            this.#isSeen = entries.at(-1).isIntersecting;
            this.update();
        }).observe(this.element);
    }

    /** Handles an answer that is not a picture: the next update requests it again. */
    #failed() {
        this.#fetchedAt = -Infinity;
        this.#image.hidden = true;
        URL.revokeObjectURL(this.#image.src);
        this.#image.removeAttribute("src");
    }

    /** Fetches a newer picture if the element is visible. */
    async update() {
        const now = performance.now() / 1000;
        if (!this.#isSeen || document.hidden || this.#isFetching || now - this.#fetchedAt < this.#interval) return;
        this.#isFetching = true;
        this.#fetchedAt = now;
        const picture = await getPicture(this.#path).catch(() => null);
        this.#isFetching = false;
        // The first picture usually follows soon.
        if (!picture) this.#fetchedAt = now - this.#interval + 2;
        URL.revokeObjectURL(this.#image.src);
        this.#image.hidden = picture === null;
        if (picture) this.#image.src = URL.createObjectURL(picture);
        else this.#image.removeAttribute("src");
    }
}
