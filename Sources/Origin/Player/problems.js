// The list of problems, for the viewer and for tests.

const capacity = 100;

/** A short list of messages; the same message again only counts. */
export class Problems {
    #entries = [];

    add(message) {
        const known = this.#entries.findIndex((entry) => entry.message === message);
        const count = known < 0 ? 1 : this.#entries.splice(known, 1)[0].count + 1;
        this.#entries.push({ message, count, date: new Date() });
        if (this.#entries.length > capacity) this.#entries.shift();
    }

    /** `{message, count, date}`, the latest last. */
    get entries() {
        return this.#entries;
    }

    get latest() {
        return this.#entries.at(-1)?.message ?? null;
    }
}
