// The common properties of a channel's tracks: the live window and the live edge.

import { startBefore } from "./parts.js";

/** The picture's and the sound's track; a channel may lack one of them. */
export class TrackSet {
    constructor(video, audio) {
        this.video = video;
        this.audio = audio;
        /** The existing tracks, video first: it leads. */
        this.all = [video, audio].filter(Boolean);
    }

    /** UTC up to which every playlist lists segments, or null. */
    get listedEdge() {
        return this.#least((rendition) => rendition.edge);
    }

    /** The live edge: between two reloads it moves with the clock, for at most a target duration. */
    get edge() {
        return this.#least(({ edge, age, playlist }) =>
            edge === null ? null : edge + Math.min(age, playlist.targetDuration));
    }

    /** UTC at which the window that all tracks share begins. */
    get windowStart() {
        return Math.max(...this.all.map((track) => track.rendition?.start ?? 0));
    }

    /** The channel's target duration in seconds, or null. */
    get targetDuration() {
        return this.#leadingPlaylist?.targetDuration ?? null;
    }

    /** The reason why the channel is not played by parts; null if it is. */
    get lackOfParts() {
        const lacks = this.all.map(({ rendition }) => (rendition ? rendition.lackOfParts : "there is no playlist yet"));
        return lacks.length > 0 ? lacks.find(Boolean) ?? null : "there is no playlist yet";
    }

    /** The longest part in seconds, or null if the channel is not played part by part. */
    get partTarget() {
        return this.lackOfParts === null ? this.#leadingPlaylist.partTarget : null;
    }

    /** The interval of new media in seconds, that of parts or of segments; or null. */
    get pace() {
        return this.partTarget ?? this.targetDuration;
    }

    /** Seconds to stay behind the edge: PART-HOLD-BACK, HOLD-BACK, or three target durations (RFC 8216bis 4.4.3.8); or null. */
    get holdBack() {
        const playlist = this.#leadingPlaylist;
        if (!playlist) return null;
        return this.partTarget === null ? playlist.holdBack ?? 3 * playlist.targetDuration : playlist.partHoldBack;
    }

    /** A rendition whose next segment is overdue, or null. */
    get staleRendition() {
        return this.all.map((track) => track.rendition).find((rendition) => rendition?.isStale) ?? null;
    }

    /** A rendition whose playlist could not be reloaded for long, or null. */
    get unansweredRendition() {
        return this.all.map((track) => track.rendition).find((rendition) => rendition?.isUnanswered) ?? null;
    }

    /** The IDs of keys that buffered or listed segments need. */
    get neededKeyIDs() {
        const needed = new Set();
        for (const key of this.keysFrom(0)) needed.add(key.keyID);
        return needed;
    }

    /** Keys of the buffered and listed segments that end after a UTC. */
    keysFrom(utc) {
        return this.all
            .flatMap(({ appended, rendition }) => [
                ...appended, ...(rendition?.playlist?.segments ?? []), ...(rendition?.playlist?.open?.parts ?? []),
            ])
            .filter(({ end, key }) => end > utc && key).map(({ key }) => key);
    }

    /** Chooses where to start, once every track has its playlist (6.3.3); all start at the same time. */
    begin() {
        if (this.all[0].next !== null || this.listedEdge === null) return;
        const start = this.segmentStart(this.listedEdge - this.holdBack);
        for (const track of this.all) {
            track.next = start;
            track.wake();
        }
    }

    /** The start of the segment, or the part with a key frame, before a UTC; of the first one for an earlier UTC. */
    segmentStart(utc) {
        const playlist = this.#leadingPlaylist;
        return playlist ? startBefore(playlist, utc) ?? utc : utc;
    }

    get #leadingPlaylist() {
        return this.all[0]?.rendition?.playlist ?? null;
    }

    #least(valueOf) {
        const values = this.all.map(({ rendition }) => (rendition ? valueOf(rendition) : null));
        return values.length > 0 && values.every((value) => value !== null) ? Math.min(...values) : null;
    }
}
