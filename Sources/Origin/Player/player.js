// Plays one channel: chooses renditions, fills their tracks, keeps the playhead near the live edge.

import { ClearKeys } from "./clear-keys.js";
import { steer } from "./group-clock.js";
import { IdentityKeys, isSegmentEncryption } from "./identity-keys.js";
import { followKeySchedule } from "./key-schedule.js";
import { Metadata } from "./metadata.js";
import { NativeTrack } from "./native-track.js";
import { delay, fetchDocument, fetchPatiently, Throughput, Unreachable } from "./network.js";
import { OnAir } from "./on-air.js";
import { followLive, Playhead } from "./playhead.js";
import { formatOf, isSampleEncryption, parseMedia, parseMultivariant, substitute } from "./playlist.js";
import { Problems } from "./problems.js";
import { chooseAudio, chooseVariant, lackOf, ladderOf, offerOf } from "./quality.js";
import { Rendition } from "./rendition.js";
import { rangesOf } from "./source-queue.js";
import { Subtitles } from "./subtitles.js";
import { Timeline } from "./timeline.js";
import { Track } from "./track.js";
import { TrackSet } from "./track-set.js";
import { canTransmux, isTransmuxed } from "./transmux.js";

/** Bit/s assumed before the first download has been measured. */
const firstGuess = 4_000_000;
/** Seconds of media to fetch ahead of the playhead, and to keep behind it. */
const lookAhead = 30;
const lookBehind = 30;

/**
 * A live player for one channel on one `<video>` element, to be used once.
 *
 * Dispatches `change` when what can be chosen changed, `problem` when there is a new error or warning, and `metadata` when
 * the channel has said something.
 */
export class Player extends EventTarget {
    /** `waiting`, `playing`, `paused` or `failed`. */
    state = "waiting";
    /** The reason why the player waits or has failed, for the viewer. */
    reason = "Loading the channel";
    /** The errors, and the warnings that playback survives. */
    errors = new Problems();
    warnings = new Problems();
    /** The timed metadata of the channel. */
    metadata = new Metadata();
    stalls = 0;
    gapsJumped = 0;
    /** Key IDs of the picture's segments (or the sound's, without picture) that the playhead has reached. */
    keyPeriodsPlayed = new Set();

    /** The offered renditions; only those with `isPlayable` can be selected. */
    variants = [];
    audioRenditions = [];
    subtitlesOffered = [];
    captions = [];
    variant = null;
    audio = null;
    /** The selected subtitles, or null. */
    subtitles = null;
    isAuto = true;
    /** True while the playhead is kept near the live edge. */
    follows = true;
    /** Returns the UTC to display, for synchronized players; null for a single player. */
    clock = null;
    /** The format of the segments, or null until it is known. */
    format = null;
    /** True if the browser plays the channel with its own HLS player, which does not report the UTC of its position. */
    isNative = false;

    timeline = new Timeline();
    tracks = new TrackSet(null, null);

    #base;
    #query;
    /** The variables of the multivariant playlist. */
    #variables = new Map();
    #life = new AbortController();
    #onAir = null;
    #playhead = new Playhead();
    #throughput = new Throughput();
    #textTrack = null;
    #identityKeys = new IdentityKeys();
    #clearKeys = null;
    /** The IDs of keys that no listed or buffered segment needs yet. */
    #earlyKeyIDs = new Set();
    #keySchedule = null;
    #waitingForKey = false;
    #placed = false;
    #refills = 0;
    #timer = null;

    /** `base` is the URL of the channel's directory; `query`, with its `?`, goes with the multivariant playlist. */
    constructor(video, base, query = "") {
        super();
        this.video = video;
        this.#base = base;
        this.#query = query;
    }

    /** UTC of the playhead in seconds, or null before anything is buffered. */
    get utc() {
        return this.#placed ? this.timeline.utc(this.video.currentTime) : null;
    }

    /** Seconds from the playhead to the live edge, or null. */
    get behind() {
        const { edge } = this.tracks;
        return this.utc === null || edge === null ? null : edge - this.utc;
    }

    /** The source of a track at a UTC in seconds, such as `backup-1`, or null. */
    sourceAt(track, utc) {
        return track?.rendition ? this.#onAir?.sourceAt(track.rendition.url, utc) ?? null : null;
    }

    async start() {
        this.#onAir = new OnAir(this.#base);
        try {
            await this.#open(new URL(`index.m3u8${this.#query}`, this.#base).href);
        } catch (error) {
            this.#failFinally(error.message);
        }
    }

    close() {
        this.#life.abort();
        clearInterval(this.#timer);
        this.tracks.all.forEach((track) => track.close());
        this.#textTrack?.close();
        this.#clearKeys?.close();
        this.#onAir?.close();
        URL.revokeObjectURL(this.video.src);
        this.video.removeAttribute("src");
        this.video.load();
    }

    /** Plays this variant from the next segment boundary on, or leaves the choice to the throughput (null). */
    setVariant(variant) {
        this.isAuto = variant === null;
        if (variant) this.#switchVariant(variant, true);
        else this.#adapt();
        this.#changed();
    }

    /** Changes the sound at once: removes the buffered media of the old rendition, and loads the new one. */
    setAudio(audio) {
        if (audio === this.audio || !this.tracks.audio || this.isNative) return;
        this.audio = audio;
        this.tracks.audio.use(this.#rendition(audio.url), audio.codec.type);
        this.#changed();
        if (this.utc !== null) this.#refill(this.tracks.audio, this.utc);
    }

    /** Shows other subtitles, or none (null). */
    setSubtitles(subtitles) {
        this.#textTrack?.close();
        this.#textTrack = null;
        this.subtitles = this.isNative ? null : subtitles;
        if (this.subtitles) {
            this.#textTrack = new Subtitles(this.video, this.timeline, subtitles);
            this.#textTrack.rendition = this.#rendition(subtitles.url);
        }
        this.#changed();
    }

    /** The subtitles that are on the screen now. */
    get shownSubtitles() {
        return this.#textTrack?.shown ?? [];
    }

    /** Moves the playhead to a UTC in seconds. */
    seek(utc) {
        if (!this.#placed) return;
        const position = this.timeline.position(utc);
        const ranges = rangesOf(this.video.buffered);
        if (!ranges.some(([start, end]) => start <= position && position < end - 1)) {
            const start = this.tracks.segmentStart(utc);
            for (const track of this.tracks.all) this.#refill(track, start);
        }
        this.video.currentTime = Math.max(0, position);
    }

    /** Seeks to the live edge. */
    goLive() {
        this.follows = true;
        const { edge, holdBack } = this.tracks;
        // The browser's own player begins at the edge.
        if (this.isNative) this.video.load();
        else if (edge !== null && holdBack !== null) this.seek(edge - holdBack);
        this.play();
    }

    /** Starts playback; without sound where the browser allows no other. */
    async play() {
        try {
            await this.video.play();
        } catch (error) {
            if (error.name !== "NotAllowedError" || this.video.muted) return;
            this.video.muted = true;
            await this.video.play().catch(() => {});
        }
    }

    /** Loads a playlist, and returns the result of `parse`; retries until there is one, and returns null once the player is closed. */
    async #load(url, parse) {
        for (;;) {
            try {
                const found = await fetchDocument(url, { signal: this.#life.signal, cache: "no-cache" });
                return parse(found.text, found.url);
            } catch (error) {
                if (this.#life.signal.aborted) return null;
                // 503 with Retry-After: the channel exists but has no segments yet.
                const isStarting = error.status === 503;
                this.#wait(isStarting ? "Waiting for the channel's first segments" : error.message);
                if (!isStarting) this.#fail(error.message);
                await delay(error.retryAfter ?? 3, this.#life.signal);
            }
        }
    }

    async #open(url) {
        const multivariant = await this.#load(url, (text, base) => {
            // An origin that requires tokens redirects to a path with a pass; all other URLs of the channel are below that path.
            this.#base = new URL(".", base).href;
            return parseMultivariant(text, base);
        });
        const parse = (text, base) => parseMedia(text, base, multivariant.variables);
        const media = multivariant && (await this.#load(multivariant.variants[0].url, parse));
        if (!media) return;
        this.#variables = multivariant.variables;
        this.format = formatOf(media);
        this.isNative = !canFill(this.format, multivariant, media);
        const isSupported = (type) => {
            if (this.isNative) return this.video.canPlayType(type) !== "";
            return MediaSource.isTypeSupported(type) && (this.format === "fMP4" || canTransmux(type));
        };
        const { captions, subtitles, sessionKeys } = multivariant;
        const { variants, audio } = offerOf(multivariant, isSupported);
        const lacks = ["video", "audio"].map((kind) => lackOf(kind, multivariant, isSupported)).filter(Boolean);
        Object.assign(this, { variants, audioRenditions: audio, subtitlesOffered: subtitles, captions });
        this.variant = chooseVariant(ladderOf(variants), firstGuess);
        this.audio = chooseAudio(audio);

        if (this.isNative) this.#openNatively(url, lacks, media);
        // A picture without sound is better than none, sound without its picture is not.
        else if (this.variant ?? (variants.length === 0 && this.audio)) await this.#fill(sessionKeys, lacks);
        else throw new Error(lacks[0] ?? "The channel names no codec that this page knows");
        this.setSubtitles(subtitles.find(({ isDefault }) => isDefault) ?? null);
    }

    /** Leaves the channel to the browser, and only follows its playlists. */
    #openNatively(url, lacks, { segments }) {
        const { video, variant, audio, variants, audioRenditions } = this;
        if (!video.canPlayType("application/vnd.apple.mpegurl")) {
            throw new Error(`This browser does not play HLS itself, and this page cannot play ${this.format}`);
        }
        const trackOf = (kind, offer) => {
            if (!offer) return null;
            const track = new NativeTrack(kind, video);
            track.use(this.#rendition(offer.url));
            return track;
        };
        this.tracks = new TrackSet(
            trackOf("video", variant ?? variants[0]),
            trackOf("audio", audio ?? audioRenditions[0]),
        );
        video.addEventListener("error", () => {
            const isSampleEncrypted = segments.some(({ key }) => isSampleEncryption(key?.method));
            const safari = `Only Safari decrypts SAMPLE-AES in ${this.format}`;
            const reason = isSampleEncrypted ? safari : video.error?.message;
            this.#failFinally(lacks[0] ?? (reason || "The browser cannot play this channel"));
        }, { signal: this.#life.signal });
        video.src = url;
        this.play();
        this.#timer = setInterval(() => this.#noteState(), 100);
    }

    /** Fills the element through Media Source Extensions. */
    async #fill(sessionKeys, lacks) {
        lacks.forEach((lack) => this.#warn(lack));
        const types = (offers) => offers.filter(({ isPlayable }) => isPlayable).map(({ codec }) => codec.type);
        this.#clearKeys = new ClearKeys({
            video: this.video,
            licenceURL: () => this.#licenceURL(),
            contentTypes: { video: types(this.variants), audio: types(this.audioRenditions) },
            report: (message) => this.#fail(message),
        });
        const mediaSource = new MediaSource();
        const opened = new Promise((resolve) => mediaSource.addEventListener("sourceopen", resolve, { once: true }));
        this.video.src = URL.createObjectURL(mediaSource);
        await opened;
        if (this.#life.signal.aborted) return;
        mediaSource.duration = Infinity;
        // Else a seek beyond what is buffered would end there: seekable would stop at the buffer's end.
        mediaSource.setLiveSeekableRange(0, 2 ** 31);
        this.#listen();

        const context = {
            video: this.video,
            bufferTarget: lookAhead,
            playheadUTC: () => this.utc,
            timeline: this.timeline,
            identityKeys: this.#identityKeys,
            clearKeys: this.#clearKeys,
            throughput: this.#throughput,
            hear: (message) => this.#hear(message),
            warn: (message) => this.#warn(message),
            fail: (message) => this.#fail(message),
        };
        const trackOf = (kind, offer) => {
            if (!offer) return null;
            const { type } = offer.codec;
            const track = new Track({ kind, type, mediaSource, context });
            track.use(this.#rendition(offer.url), type, offer);
            return track;
        };
        this.tracks = new TrackSet(trackOf("video", this.variant), trackOf("audio", this.audio));
        this.#prefetch(sessionKeys);
        this.#timer = setInterval(() => this.#tick(), 100);
    }

    /** Adds an event message of a segment; the timeline converts its media time to UTC. */
    #hear(message) {
        const utc = this.timeline.utc(message.time - this.timeline.origin);
        if (this.metadata.takeMessage(utc, message)) this.dispatchEvent(new Event("metadata"));
    }

    #listen() {
        const { signal } = this.#life;
        this.video.addEventListener("error", () => {
            const { error } = this.video;
            if (!error) return;
            const isEncrypted = this.tracks.all.some((track) => track.appended.some(({ key }) => key));
            const hint = isEncrypted ? " (it is encrypted: is the key right?)" : "";
            this.#failFinally(`The browser cannot decode the media${hint}: ${error.message || `code ${error.code}`}`);
        }, { signal });
        this.video.addEventListener("waitingforkey", () => (this.#waitingForKey = true), { signal });
        this.video.addEventListener("playing", () => (this.#waitingForKey = false), { signal });
    }

    #rendition(url) {
        const rendition = new Rendition(url, this.#variables, () => this.#reloaded(rendition));
        return rendition;
    }

    /** Handles a reload of a media playlist, changed or not. */
    #reloaded(rendition) {
        if (rendition === this.#textTrack?.rendition) this.#textTrack.wake();
        const track = this.tracks.all.find((candidate) => candidate.rendition === rendition);
        if (!track) return;
        const { problem, playlist } = rendition;
        if (playlist && this.metadata.takeRanges(playlist.ranges)) this.dispatchEvent(new Event("metadata"));
        // Before the first segments 503 is the right answer.
        const isStarting = !playlist && problem?.status === 503;
        if (problem && !isStarting) this.#warn(`The ${track.kind} playlist: ${problem.message}`);
        if (this.isNative) return;
        this.tracks.begin();
        // Keys are asked for when the playlist names them, well before the decoder needs them.
        if (track.next !== null) this.#prefetch(this.tracks.keysFrom(this.utc ?? track.next));
        const needed = this.tracks.neededKeyIDs;
        for (const keyID of needed) this.#earlyKeyIDs.delete(keyID);
        if (this.#placed && needed.size > 0) this.#clearKeys.retain(new Set([...needed, ...this.#earlyKeyIDs]));
        track.wake();
    }

    async #refill(track, utc) {
        this.#refills += 1;
        // A failed element says so itself.
        await track.refill(utc).catch(() => {});
        this.#refills -= 1;
    }

    #prefetch(keys) {
        this.#clearKeys.prefetch(keys.filter(({ method }) => isSampleEncryption(method)).map(({ keyID }) => keyID));
        for (const key of keys) {
            if (isSegmentEncryption(key.method)) this.#identityKeys.fetch(key).catch(() => {});
            this.#earlyKeyIDs.add(key.keyID);
        }
        if (keys.length > 0) this.#keySchedule ??= this.#followKeySchedule(keys[0].method);
    }

    /** Fetches the keys of each next period well before playlists name them. */
    #followKeySchedule(method) {
        const fetchKey = ({ keyID, uri }) => {
            const url = uri ? this.#keyURL(uri) : null;
            this.#prefetch([{ method, keyID, url, iv: null }]);
        };
        const note = ([entry]) => (this.#identityKeys.lease = entry?.lease ?? null);
        return followKeySchedule(this.#keyScheduleURL, note, fetchKey, this.#life.signal);
    }

    get #keyScheduleURL() {
        return new URL("keys.json", this.#base).href;
    }

    /** Resolves a URI of the key schedule, with the variables of the playlists. */
    #keyURL(uri) {
        return new URL(substitute(uri, this.#variables), this.#base).href;
    }

    /** The URL of Clear Key licences. */
    async #licenceURL() {
        const schedule = await fetchPatiently(this.#keyScheduleURL, { signal: this.#life.signal });
        const [entry] = JSON.parse(new TextDecoder().decode(schedule));
        return this.#keyURL(entry?.licenseURI ?? "clearkey");
    }

    #switchVariant(variant, soon) {
        const track = this.tracks.video;
        if (variant === this.variant || !track || this.isNative) return;
        this.variant = variant;
        track.use(this.#rendition(variant.url), variant.codec.type, variant);
        // A manual choice takes effect soon: buffered media after the next boundary is removed.
        const boundary = soon && this.utc !== null ? track.appended.find(({ start }) => start > this.utc + 2) : null;
        if (boundary) this.#refill(track, boundary.start);
        this.#changed();
    }

    /** Selects the variant by throughput, if the choice is automatic. */
    #adapt() {
        const ladder = ladderOf(this.variants);
        if (!this.isAuto || ladder.length < 1 || this.#throughput.bitsPerSecond === null) return;
        const best = chooseVariant(ladder, this.#throughput.bitsPerSecond);
        // The player switches up only if enough media is buffered.
        const ahead = this.tracks.all[0].bufferedEnd - this.video.currentTime;
        const enough = Math.min(6, (this.tracks.holdBack ?? 12) / 2);
        if (best.bandwidth < this.variant.bandwidth || ahead > enough) this.#switchVariant(best, false);
    }

    /** Advances playback; called ten times a second. */
    #tick() {
        const { video, tracks } = this;
        for (const track of tracks.all) track.wake();
        if (!this.#placed && !this.#place()) return this.#explainWait();

        // While a refill is under way the buffered ranges are about to change.
        const isIdle = video.paused || video.ended || this.#refills > 0;
        this.#watchPlayhead(isIdle);
        if (this.state === "failed") return;
        if (!isIdle) this.#keepUp();
        this.#notePlayed();
        this.#adapt();
        for (const track of tracks.all) track.trim(lookBehind).catch(() => {});
        this.#noteState();
    }

    #noteState() {
        const { video } = this;
        if (video.paused) this.state = "paused";
        else if (video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) this.state = "playing";
        else this.#explainWait();
    }

    /** Puts the playhead on the first media that every track has; false while there is none. */
    #place() {
        const [range] = rangesOf(this.video.buffered);
        const start = this.tracks.all[0].appended[0]?.start;
        if (!range || start === undefined) return false;
        this.#placed = true;
        this.video.currentTime = Math.max(range[0], this.timeline.position(start)) + 0.001;
        this.play();
        return true;
    }

    #watchPlayhead(isIdle) {
        const { video, tracks, timeline } = this;
        const decision = this.#playhead.look({
            now: performance.now() / 1000,
            position: video.currentTime,
            ranges: rangesOf(video.buffered),
            edge: timeline.position(tracks.listedEdge ?? Infinity),
            reserve: tracks.pace ?? 0,
            idle: isIdle,
            seeking: video.seeking,
            // A hidden page need not decode pictures.
            frames: tracks.video && !document.hidden ? video.getVideoPlaybackQuality().totalVideoFrames : null,
            waitingForKey: this.#waitingForKey,
        });
        switch (decision.action) {
        case "jump":
            this.gapsJumped += 1;
            video.currentTime = decision.to;
            break;
        case "stalled":
            this.stalls += 1;
            break;
        case "stuck":
            // A key may still come; a decoder that has given up does not recover.
            if (this.#waitingForKey) this.#fail(decision.reason);
            else this.#failFinally(decision.reason);
            break;
        }
    }

    #keepUp() {
        const { video, behind, utc } = this;
        const { edge, holdBack, pace, targetDuration: target, windowStart } = this.tracks;
        if (behind === null || holdBack === null) return;
        const wanted = this.clock?.() ?? null;
        if (wanted !== null) return this.#steer(steer(utc, wanted, video.playbackRate));
        if (utc < windowStart - target && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
            // The next segment of this track has left the window.
            this.seek(this.follows ? edge - holdBack : windowStart);
            return;
        }
        this.#steer(this.follows
            ? followLive({ behind, holdBack, target: pace, edge, rate: video.playbackRate })
            : { rate: 1 });
    }

    #steer({ seekTo, rate }) {
        const { video } = this;
        if (seekTo !== undefined) this.seek(seekTo);
        else if (video.playbackRate !== rate) video.playbackRate = rate;
    }

    #notePlayed() {
        if (this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || this.video.seeking) return;
        const { utc } = this;
        // Audio may have keys of its own, but they change in the same periods.
        const segment = this.tracks.all[0].appended.find(({ start, end }) => start <= utc && utc < end);
        if (segment?.key) this.keyPeriodsPlayed.add(segment.key.keyID);
    }

    #explainWait() {
        const { all, staleRendition } = this.tracks;
        const problem = all.map((track) => track.rendition?.problem).find(Boolean);
        const missing = all.find((track) => track.rendition?.playlist?.segments.at(-1)?.gap);
        if (this.#waitingForKey) this.#wait("Waiting for the decryption key");
        else if (missing) this.#wait(`The channel has no ${missing.kind} at the moment`);
        else if (problem instanceof Unreachable) this.#wait(problem.message);
        else if (staleRendition) this.#wait("The channel has stopped: its playlist no longer grows");
        else if (problem?.status === 503 && this.#placed) this.#wait("The server withholds the channel at the moment (503)");
        else if (problem?.status === 503) this.#wait("Waiting for the channel's first segments");
        else if (problem) this.#wait(problem.message);
        else if (!this.#placed && this.errors.latest) this.#wait(this.errors.latest);
        else this.#wait("Buffering");
    }

    #wait(reason) {
        this.state = "waiting";
        this.reason = reason;
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }

    #warn(message) {
        this.warnings.add(message);
        this.dispatchEvent(new Event("problem"));
    }

    #fail(message) {
        this.errors.add(message);
        this.dispatchEvent(new Event("problem"));
    }

    #failFinally(message) {
        if (this.state === "failed" || this.#life.signal.aborted) return;
        this.state = "failed";
        this.reason = message;
        clearInterval(this.#timer);
        this.tracks.all.forEach((track) => track.close());
        this.#fail(message);
        this.#changed();
    }
}

/**
 * True if this page can play the channel by Media Source Extensions. These accept MP4 everywhere; other formats are converted
 * to MP4, unless their samples are encrypted. An iPhone has no Media Source Extensions.
 */
function canFill(format, { variants }, { segments }) {
    if (!("MediaSource" in window)) return false;
    if (format === "fMP4") return true;
    return variants.some(({ codecs }) => codecs.every(isTransmuxed))
        && !segments.some(({ key }) => isSampleEncryption(key?.method));
}
