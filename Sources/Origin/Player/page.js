// The page: puts a player, its controls and its state together.

import { findChannels } from "./channels.js";
import { listenForKeys } from "./keyboard.js";
import { linkTo, sharedMoment } from "./moments.js";
import { protocolOf } from "./network.js";
import { Player } from "./player.js";
import { nameOfAudio, nameOfVariant } from "./quality.js";
import { SideBySide, sharedChannels } from "./side-by-side.js";
import { Strip } from "./strip.js";

const element = (id) => document.getElementById(id);
const shapes = {
    play: "M8 5v14l11-7z",
    pause: "M6 5h4v14H6zm8 0h4v14h-4z",
    sound: "M3 9v6h4l5 5V4L7 9zm13.5 3A4.5 4.5 0 0 0 14 8v8a4.5 4.5 0 0 0 2.5-4z",
    silence: "M3 9v6h4l5 5V4L7 9zm12.2 3 2.4-2.4-1-1-2.4 2.4-2.4-2.4-1 1 2.4 2.4-2.4 2.4 1 1 2.4-2.4 2.4 2.4 1-1z",
};

let video = element("video");
const strip = new Strip(element("strip"), element("tooltip"));
let player = null;
/** Several channels in place of one, or null. */
let sideBySide = null;
let waitingSince = null;
/** The UTC in seconds in the page's address, until playback has reached it. */
let moment = sharedMoment(location.hash);

/** The player's state as plain values, for tests. */
window.packagerPlayer = {
    get state() { return player?.state ?? "waiting"; },
    get currentTime() { return video.currentTime; },
    get utc() { return player?.utc ?? null; },
    get decodedFrames() { return video.getVideoPlaybackQuality().totalVideoFrames; },
    get droppedFrames() { return video.getVideoPlaybackQuality().droppedVideoFrames; },
    get keyPeriodsPlayed() { return new Set(player?.keyPeriodsPlayed); },
    get gapsJumped() { return player?.gapsJumped ?? 0; },
    get stalls() { return player?.stalls ?? 0; },
    get errors() { return (player?.errors.entries ?? []).map(({ message }) => message); },
    get warnings() { return (player?.warnings.entries ?? []).map(({ message }) => message); },
    get behindLive() { return player?.behind ?? null; },
    get audio() { return player?.audio?.language ?? null; },
    get subtitles() { return player?.shownSubtitles ?? []; },
    get height() { return video.videoHeight; },
    get metadata() { return player?.metadata.entries ?? []; },
    get partTarget() { return player?.tracks.partTarget ?? null; },
    get lackOfParts() { return player?.tracks.lackOfParts ?? null; },
    get sideBySide() { return sideBySide?.members ?? []; },
};

function play(channel) {
    element("channel").textContent = channel.name;
    document.title = `${channel.name} · packager`;
    element("log").replaceChildren();
    element("problems").hidden = true;
    element("metadata").hidden = true;
    element("interstitials").hidden = true;
    player?.close();
    replaceVideo();
    player = new Player(video, channel.url, location.search);
    player.addEventListener("change", () => {
        showChoices();
        showState();
    });
    player.addEventListener("problem", showProblems);
    player.addEventListener("metadata", showMetadata);
    strip.show(player);
    player.start();
}

/** Creates a new element for each player: a used one may not release its keys at once, or may keep an error. */
function replaceVideo() {
    const fresh = video.cloneNode();
    fresh.muted = video.muted;
    fresh.volume = video.volume;
    fresh.addEventListener("click", () => element("play").click());
    video.replaceWith(fresh);
    video = fresh;
}

function option(label, value, selected, isPlayable = true) {
    const created = document.createElement("option");
    created.textContent = isPlayable ? label : `${label} (not in this browser)`;
    created.value = value;
    created.selected = selected;
    created.disabled = !isPlayable;
    return created;
}

/** Shows the renditions to choose from; the browser's own player chooses for itself. */
function showChoices() {
    const { variants, variant, audioRenditions, audio, isAuto, isNative } = player;
    element("quality-choice").hidden = variants.length < 2 || isNative;
    element("quality").replaceChildren(
        option(isAuto && variant ? `Auto (${nameOfVariant(variant)})` : "Auto", "auto", isAuto),
        ...variants.map((offer, i) => option(nameOfVariant(offer), i, !isAuto && offer === variant, offer.isPlayable))
            .reverse(),
    );
    element("audio-choice").hidden = audioRenditions.length < 2 || isNative;
    element("audio").replaceChildren(
        ...audioRenditions.map((offer, i) => option(nameOfAudio(offer), i, offer === audio, offer.isPlayable)),
    );
    const { subtitlesOffered, subtitles } = player;
    element("subtitles-choice").hidden = subtitlesOffered.length === 0 || isNative;
    element("subtitles").replaceChildren(
        option("Off", "off", subtitles === null),
        ...subtitlesOffered.map((offer, i) => option(offer.name, i, offer === subtitles)),
    );
    const captions = player.captions.map(({ name, channel }) => `${name} (${channel})`).join(", ");
    setText("format", isNative ? `${player.format}, by the browser itself` : player.format ?? "–");
    setText("captions", captions || "none");
    setText("sound", audio ? nameOfAudio(audio) : isNative ? "–" : variant?.isMuxed ? "with the picture" : "none");
}

function showProblems() {
    const entry = ({ message, count, date }, isError) => {
        const item = document.createElement("li");
        const time = document.createElement("time");
        time.textContent = date.toISOString().slice(11, 19);
        item.append(time, count > 1 ? `${message} (${count} times)` : message);
        item.classList.toggle("error", isError);
        return { item, date };
    };
    const entries = [
        ...player.errors.entries.map((error) => entry(error, true)),
        ...player.warnings.entries.map((warning) => entry(warning, false)),
    ];
    entries.sort((a, b) => b.date - a.date);
    element("problems").hidden = entries.length === 0;
    element("log").replaceChildren(...entries.slice(0, 50).map(({ item }) => item));
}

/** Shows the metadata of the channel, the latest first. */
function showMetadata() {
    const { entries } = player.metadata;
    const items = entries.slice(-100).reverse().map(({ utc, title, text }) => {
        const item = document.createElement("li");
        const time = document.createElement("time");
        time.textContent = new Date(utc * 1000).toISOString().slice(11, 23);
        const name = document.createElement("strong");
        name.textContent = title;
        item.append(time, name, ` ${text}`);
        return item;
    });
    element("metadata").hidden = items.length === 0;
    element("messages").replaceChildren(...items);
    element("interstitials").hidden = !entries.some(({ title }) => title === "Interstitial");
}

function showVeil(failed, reason) {
    element("veil").hidden = !reason;
    element("veil").classList.toggle("failed", failed);
    element("spinner").hidden = failed;
    element("retry").hidden = !failed;
    setText("reason", reason ?? "");
}

function setText(id, text) {
    const target = element(id);
    if (target.textContent !== text) target.textContent = text;
}

/** The source of the displayed picture, and the source at the live edge if that differs. */
function sourceNow(utc) {
    const [track] = player.tracks.all;
    const edge = player.tracks.listedEdge;
    const shown = utc === null ? null : player.sourceAt(track, utc);
    const newest = edge === null ? null : player.sourceAt(track, edge - 0.5);
    if (!shown || !newest || shown === newest) return shown ?? newest ?? "–";
    return `${shown}, at the live edge ${newest}`;
}

/** The state of low-latency playback, or the reason why it is off. */
function lowLatency() {
    const { lackOfParts, partTarget, holdBack, all: [track] } = player.tracks;
    if (player.isNative) return "left to the browser";
    if (lackOfParts) return `off: ${lackOfParts}`;
    const hint = protocolOf(track.rendition.url) === "http/1.1" ? "; by HTTP/1.1, and Safari wants HTTP/2" : "";
    const place = player.follows ? `${holdBack.toFixed(1)} s behind the newest` : "not at the live edge";
    return `parts of ${Number(partTarget.toFixed(3))} s, ${place}${hint}`;
}

function say(text) {
    setText("said", text);
    setTimeout(() => element("said").textContent === text && setText("said", ""), 5000);
}

/** Seeks to the time of a shared link, once there is a window. */
function goToMoment() {
    const { windowStart, edge } = player.tracks;
    if (moment === null || player.utc === null || edge === null) return;
    const wanted = moment;
    moment = null;
    if (wanted < windowStart || wanted > edge) {
        const when = new Date(wanted * 1000).toISOString().slice(0, 19).replace("T", " ");
        return say(`${when} UTC is not in the live window${wanted < windowStart ? " any more" : " yet"}.`);
    }
    seek(wanted);
}

/** Leaves the live edge for a UTC within the window. */
function seek(utc) {
    const { windowStart, edge, pace } = player?.tracks ?? {};
    if (!player || player.utc === null || edge === null) return;
    const latest = edge - (pace ?? 0);
    if (utc >= latest) return player.goLive();
    player.follows = false;
    player.seek(Math.max(windowStart, utc));
}

async function share() {
    const utc = player?.utc ?? null;
    const link = linkTo(location.href, utc);
    history.replaceState(null, "", link);
    try {
        await navigator.clipboard.writeText(link);
        say(utc === null ? "The link is copied." : "The link to this moment is copied.");
    } catch {
        say("The link is in the address bar.");
    }
}

const seconds = (value) => (value === null || !Number.isFinite(value) ? "–" : `${value.toFixed(1)} s`);

/** Shows the player's state; called four times a second. */
function showState() {
    element("play-shape").setAttribute("d", video.paused ? shapes.play : shapes.pause);
    element("play").setAttribute("aria-label", video.paused ? "Play" : "Pause");
    element("mute-shape").setAttribute("d", video.muted ? shapes.silence : shapes.sound);
    element("mute").setAttribute("aria-pressed", String(video.muted));
    element("volume").value = video.muted ? 0 : video.volume;
    if (!player) return;
    goToMoment();
    const { state, utc, behind, tracks } = player;
    const { staleRendition, unansweredRendition } = tracks;
    const isTroubled = staleRendition !== null || unansweredRendition !== null;
    const isQuiet = state === "playing" || (state === "paused" && (utc !== null || player.isNative));
    // A short wait, such as a jump over a gap, does not show the overlay.
    if (isQuiet) waitingSince = null;
    else waitingSince ??= performance.now();
    const isLong = state === "failed" || (waitingSince !== null && performance.now() - waitingSince > 400);
    showVeil(state === "failed", isLong ? player.reason : null);

    element("live").classList.toggle("at-edge", player.follows && state === "playing" && !isTroubled);
    element("live").classList.toggle("stale", isTroubled);
    setText("live-text", unansweredRendition ? `No answer for ${unansweredRendition.silence.toFixed(0)} s`
        : staleRendition ? `Stale for ${staleRendition.age.toFixed(0)} s`
        : behind === null ? "Live" : `Live −${behind.toFixed(1)} s`);

    const quality = video.getVideoPlaybackQuality();
    const ahead = Math.min(...tracks.all.map((track) => track.bufferedEnd)) - video.currentTime;
    const current = tracks.all
        .map((track) => track.appended.find(({ start, end }) => start <= utc && utc < end))
        .filter(Boolean);
    const bitrate = current.reduce((sum, { bytes, start, end }) => sum + (8 * bytes) / (end - start), 0);
    setText("utc", utc === null ? "–" : new Date(utc * 1000).toISOString().replace("T", " ").slice(0, 21));
    setText("behind", seconds(behind));
    setText("latency", seconds(utc === null ? null : Date.now() / 1000 - utc));
    setText("buffer", seconds(ahead));
    setText("picture", video.videoWidth ? `${video.videoWidth} × ${video.videoHeight}` : "none");
    setText("bitrate", bitrate ? `${(bitrate / 1e6).toFixed(2)} Mbit/s` : "–");
    setText("frames", `${quality.droppedVideoFrames} of ${quality.totalVideoFrames}`);
    setText("encryption", tracks.all[0]?.rendition?.playlist?.segments.at(-1)?.key?.method ?? "none");
    setText("on-air", sourceNow(utc));
    setText("low-latency", lowLatency());
    setText("key", current[0] ? current[0].key?.keyID ?? "clear" : "–");
}

element("play").addEventListener("click", () => (video.paused ? player?.play() ?? video.play() : video.pause()));
element("mute").addEventListener("click", () => (video.muted = !video.muted));
element("live").addEventListener("click", () => player?.goLive());
element("fullscreen").addEventListener("click", () =>
    (document.fullscreenElement ? document.exitFullscreen() : element("screen").requestFullscreen?.()));
element("quality").addEventListener("change", ({ target }) =>
    player.setVariant(target.value === "auto" ? null : player.variants[Number(target.value)]));
element("audio").addEventListener("change", ({ target }) =>
    player.setAudio(player.audioRenditions[Number(target.value)]));

element("subtitles").addEventListener("change", ({ target }) =>
    player.setSubtitles(target.value === "off" ? null : player.subtitlesOffered[Number(target.value)]));

element("volume").addEventListener("input", ({ target }) => setVolume(Number(target.value)));
element("share").addEventListener("click", share);

function setVolume(volume) {
    video.volume = Math.max(0, Math.min(1, volume));
    video.muted = video.volume === 0;
}

listenForKeys(document, {
    play: () => element("play").click(),
    mute: () => element("mute").click(),
    fullScreen: () => element("fullscreen").click(),
    live: () => player?.goLive(),
    move: (offset) => player?.utc != null && seek(player.utc + offset),
    louder: (step) => setVolume((video.muted ? 0 : video.volume) + step),
    goTo: (part) => {
        const { windowStart, edge } = player?.tracks ?? {};
        if (edge) seek(windowStart + part * (edge - windowStart));
    },
});

setInterval(showState, 250);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let drawn = 0;
requestAnimationFrame(function draw(now) {
    if (now - drawn >= (calm.matches ? 500 : 50)) {
        drawn = now;
        strip.draw();
    }
    requestAnimationFrame(draw);
});

try {
    const { channels, chosen } = await findChannels();
    if (!chosen) throw new Error("This origin has no channel yet");
    const channel = () => channels.find(({ name }) => name === element("channels").value);
    element("channels").append(...channels.map(({ name }) => option(name, name, name === chosen)));
    element("channels").addEventListener("change", () => play(channel()));
    element("channel-choice").hidden = channels.length < 2;
    element("retry").addEventListener("click", () => play(channel()));
    element("side-by-side").hidden = channels.length < 2;
    addEventListener("hashchange", () => (sideBySide !== null || sharedChannels(location.hash)) && location.reload());
    const shared = sharedChannels(location.hash);
    if (shared) {
        document.body.classList.add("side-by-side");
        sideBySide = new SideBySide(element("several"), channels, shared, location.search);
    } else play(channel());
} catch (error) {
    showVeil(true, error.message);
    element("retry").addEventListener("click", () => location.reload());
}
