// What the tracks of a channel have in common: one live window, one edge.

import { startBefore } from "./parts.js";

/** The picture's and the sound's track; a channel may lack one of them. */
export class TrackSet {
    constructor(video, audio) {
        this.video = video;
        this.audio = audio;
        /** Those that exist, the picture first: it leads. */
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

    /** Why the channel is not played part by part; null if it is. */
    get lackOfParts() {
        const lacks = this.all.map(({ rendition }) => (rendition ? rendition.lackOfParts : "there is no playlist yet"));
        return lacks.length > 0 ? lacks.find(Boolean) ?? null : "there is no playlist yet";
    }

    /** The longest part in seconds, or null if the channel is not played part by part. */
    get partTarget() {
        return this.lackOfParts === null ? this.#leadingPlaylist.partTarget : null;
    }

    /** Seconds in which something new comes: of a part, or of a segment; or null. */
    get pace() {
        return this.partTarget ?? this.targetDuration;
    }

    /** Seconds to stay behind the edge: PART-HOLD-BACK, HOLD-BACK, or three target durations (RFC 8216bis 4.4.3.8); or null. */
    get holdBack() {
        const playlist = this.#leadingPlaylist;
        if (!playlist) return null;
        return this.partTarget === null ? playlist.holdBack ?? 3 * playlist.targetDuration : playlist.partHoldBack;
    }

    /** The rendition whose playlist ought to have grown by now, or null. */
    get staleRendition() {
        return this.all.map((track) => track.rendition).find((rendition) => rendition?.isStale) ?? null;
    }

    /** The rendition of which nobody has answered for long, or null. */
    get unansweredRendition() {
        return this.all.map((track) => track.rendition).find((rendition) => rendition?.isUnanswered) ?? null;
    }

    /** Key IDs that something buffered or listed needs. */
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
