// A track that the browser's own HLS plays: only its playlist is known here.

import { rangesOf } from "./source-queue.js";

/** Replaces a `Track` where the browser plays HLS itself; fetches only the playlist, to draw the live window. */
export class NativeTrack {
    rendition = null;
    next = null;
    appended = [];
    lost = new Set();

    #video;

    constructor(kind, video) {
        this.kind = kind;
        this.#video = video;
    }

    get bufferedEnd() {
        return rangesOf(this.#video.buffered).at(-1)?.[1] ?? this.#video.currentTime;
    }

    use(rendition) {
        this.rendition = rendition;
    }

    close() {
        this.rendition?.stop();
    }
}
