// The renditions of a channel, those that this browser can play, and the choice by throughput. Pure.

import { codecOf } from "./codecs.js";

/**
 * The pictures and the sounds of a channel, each with its `codec` and whether it `isPlayable`.
 *
 * `variants` are the pictures, lowest bandwidth first; `audio` are the sounds, best codec first.
 */
export function offerOf(multivariant, isSupported) {
    const variants = new Map();
    const audio = new Map();
    const soundOf = new Map();
    for (const variant of multivariant.variants) {
        const picture = codecOf("video", variant.codecs);
        const sound = codecOf("audio", variant.codecs);
        if (sound && variant.audioGroup) soundOf.set(variant.audioGroup, sound);
        // A picture is listed once with every group of sounds (RFC 8216bis 4.4.6.2.2).
        const isCheapest = !(variants.get(variant.url)?.bandwidth <= variant.bandwidth);
        // Without a group of its own the sound is in the segments of the picture (4.4.6.2.1).
        const isMuxed = picture && sound && !variant.audioGroup;
        const codec = isMuxed ? { ...picture, type: `video/mp4; codecs="${picture.id},${sound.id}"` } : picture;
        if (picture && isCheapest) variants.set(variant.url, { ...variant, codec, isMuxed: Boolean(isMuxed) });
        else if (sound && !picture) audio.set(variant.url, { name: "Audio", url: variant.url, codec: sound });
    }
    for (const rendition of multivariant.audio) {
        const codec = soundOf.get(rendition.group);
        if (codec) audio.set(rendition.url, { ...rendition, codec });
    }
    const judged = (offers) =>
        [...offers.values()].map((offer) => ({ ...offer, isPlayable: isSupported(offer.codec.type) }));
    return {
        variants: judged(variants).sort((a, b) => a.bandwidth - b.bandwidth),
        audio: judged(audio).sort((a, b) => a.codec.rank - b.codec.rank),
    };
}

/** Says why nothing of a kind, `video` or `audio`, can be played; null where something can, or nothing is offered. */
export function lackOf(kind, multivariant, isSupported) {
    const offered = multivariant.variants.map(({ codecs }) => codecOf(kind, codecs)).filter(Boolean);
    if (offered.length === 0 || offered.some(({ type }) => isSupported(type))) return null;
    const names = new Set(offered.map(({ id, name }) => `${name} (${id})`));
    return `This browser cannot decode the ${kind} of this channel: ${[...names].join(", ")}`;
}

/** The variants to choose from automatically: the playable ones of the best codec. */
export function ladderOf(variants) {
    const playable = variants.filter(({ isPlayable }) => isPlayable);
    const best = Math.min(...playable.map(({ codec }) => codec.rank));
    return playable.filter(({ codec }) => codec.rank === best);
}

/** The sound to begin with, or null: the default one in the best codec that can be played. */
export function chooseAudio(audio) {
    const playable = audio.filter(({ isPlayable }) => isPlayable);
    const same = playable.filter(({ codec }) => codec.rank === playable[0].codec.rank);
    return same.find(({ isDefault }) => isDefault) ?? same[0] ?? null;
}

/** The best variant for a throughput in bit/s, with a fifth of it to spare; the lowest when none fits, or null. */
export function chooseVariant(ladder, bitsPerSecond) {
    return ladder.findLast((variant) => variant.bandwidth <= 0.8 * bitsPerSecond) ?? ladder[0] ?? null;
}

/** The display name of a variant. */
export function nameOfVariant({ bandwidth, codec, height }) {
    const rate = bandwidth >= 1e6 ? `${(bandwidth / 1e6).toFixed(1)} Mbit/s` : `${Math.round(bandwidth / 1e3)} kbit/s`;
    return [height ? `${height}p` : null, codec.name, rate].filter(Boolean).join(" · ");
}

/** The display name of an audio rendition. */
export function nameOfAudio({ name, codec, channels }) {
    return [name, codec.name, parseInt(channels) > 2 ? `${channels} channels` : null].filter(Boolean).join(" · ");
}
