// A queue for a SourceBuffer, which allows only one operation at a time.

/** Serialises appends and removals on one SourceBuffer. */
export class SourceQueue {
    #buffer;
    #type;
    #mediaSource;
    #tail = Promise.resolve();

    constructor(mediaSource, type) {
        this.#mediaSource = mediaSource;
        this.#type = type;
        this.#buffer = mediaSource.addSourceBuffer(type);
    }

    /** Buffered ranges as `[start, end]` pairs in seconds of the element's timeline. */
    get ranges() {
        try {
            return rangesOf(this.#buffer.buffered);
        } catch {
            return []; // The media source has ended or failed: its buffers are detached.
        }
    }

    /** The end of the buffered range around `time`, or `time` itself if nothing is buffered there. */
    endAfter(time) {
        const range = this.ranges.find(([start, end]) => start - 0.1 <= time && time < end);
        return range ? range[1] : time;
    }

    /** Sets the MIME type of the media to append, if it has changed. */
    changeType(type) {
        return this.#enqueue(() => {
            if (this.#type !== type) this.#buffer.changeType(type);
            this.#type = type;
        });
    }

    /** Moves appended media by `seconds`. */
    setOffset(seconds) {
        return this.#enqueue(() => {
            if (this.#buffer.timestampOffset !== seconds) this.#buffer.timestampOffset = seconds;
        });
    }

    /** Appends bytes; throws `QuotaExceededError` when the buffer is full. */
    append(bytes) {
        return this.#enqueue(() => this.#buffer.appendBuffer(bytes));
    }

    /** Removes the buffered media from `start` to `end`. */
    remove(start, end) {
        return this.#enqueue(() => {
            if (end > start && this.#buffer.buffered.length > 0) this.#buffer.remove(start, end);
        });
    }

    #enqueue(operation) {
        const result = this.#tail.then(async () => {
            if (this.#mediaSource.readyState !== "open") {
                throw new DOMException("The media source is closed", "InvalidStateError");
            }
            operation();
            if (this.#buffer.updating) await this.#updated();
        });
        this.#tail = result.catch(() => {});
        return result;
    }

    #updated() {
        return new Promise((resolve, reject) => {
            const finished = () => {
                this.#buffer.removeEventListener("updateend", finished);
                this.#buffer.removeEventListener("error", failed);
                resolve();
            };
            const failed = () => {
                this.#buffer.removeEventListener("updateend", finished);
                this.#buffer.removeEventListener("error", failed);
                reject(new DOMException("The browser cannot parse the segment", "DataError"));
            };
            this.#buffer.addEventListener("updateend", finished);
            this.#buffer.addEventListener("error", failed);
        });
    }
}

/** A `TimeRanges` as `[start, end]` pairs. */
export function rangesOf(timeRanges) {
    return Array.from({ length: timeRanges.length }, (_, i) => [timeRanges.start(i), timeRanges.end(i)]);
}
