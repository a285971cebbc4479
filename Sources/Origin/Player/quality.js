// Which variants this browser can play, and which one the link can carry. Pure.

const video = /^(avc|hvc|hev|dv|av01|vp0)/i;
const audio = /^(mp4a|ac-3|ec-3|opus|flac|alac)/i;

/** The MIME types of a variant's SourceBuffers: `{video, audio}`, either null. */
export function contentTypes(variant, hasAudioRendition) {
    const pictures = variant.codecs.filter((codec) => video.test(codec));
    const sounds = variant.codecs.filter((codec) => audio.test(codec));
    const type = (kind, codecs) => (codecs.length > 0 ? `${kind}/mp4; codecs="${codecs.join(",")}"` : null);
    // Without a rendition of its own the sound is inside the variant's segments.
    const isMuxed = !hasAudioRendition && pictures.length > 0;
    if (isMuxed) return { video: type("video", [...pictures, ...sounds]), audio: null };
    return { video: type("video", pictures), audio: type("audio", sounds.slice(0, 1)) };
}

/** The playable variants that share the best one's audio group, lowest bandwidth first. */
export function playableVariants(multivariant, isSupported) {
    const playable = multivariant.variants.filter((variant) => {
        const types = contentTypes(variant, audioOf(multivariant, variant).length > 0);
        const present = [types.video, types.audio].filter(Boolean);
        return present.length > 0 && present.every(isSupported);
    });
    if (playable.length === 0) {
        const codecs = [...new Set(multivariant.variants.flatMap((variant) => variant.codecs))].join(", ");
        throw new Error(`This browser plays none of the codecs offered: ${codecs || "none named"}`);
    }
    const hasVideo = (variant) => variant.codecs.some((codec) => video.test(codec));
    const best = playable.find(hasVideo) ?? playable[0];
    const same = playable.filter((variant) =>
        variant.audioGroup === best.audioGroup && hasVideo(variant) === hasVideo(best));
    const urls = new Set();
    return same
        .filter((variant) => !urls.has(variant.url) && urls.add(variant.url))
        .sort((a, b) => a.bandwidth - b.bandwidth);
}

/** The audio renditions that go with a variant. */
export function audioOf(multivariant, variant) {
    return multivariant.audio.filter((rendition) => rendition.group === variant.audioGroup);
}

/** The best variant for a throughput in bit/s, with a fifth of it to spare; the lowest when none fits. */
export function chooseVariant(variants, bitsPerSecond) {
    return variants.findLast((variant) => variant.bandwidth <= 0.8 * bitsPerSecond) ?? variants[0];
}

/** What a viewer calls a variant. */
export function nameOf(variant) {
    const rate = variant.bandwidth >= 1e6
        ? `${(variant.bandwidth / 1e6).toFixed(1)} Mbit/s`
        : `${Math.round(variant.bandwidth / 1e3)} kbit/s`;
    return variant.height ? `${variant.height}p · ${rate}` : rate;
}
