// Reads the clocks in the pictures that a page shows: a function for Playwright, of the places that clock.py has them at.
//
// From then on `glass.take()` returns the samples since it was last called, ten a second. Each has `rest`, the milliseconds for which a
// picture has stood still; `waits`, how often players have run out of media; and for each player the age of its picture in
// milliseconds: `read`, by the clock in it, or null where that cannot be read, and `told`, by the date that the page gives it.
({ width, cells, cell, row, margin }) => {
    const period = 2 ** 40;
    const sideBySide = [...document.querySelectorAll(".several video")];
    const videos = sideBySide.length > 0 ? sideBySide : [document.querySelector("video")];
    const samples = [];
    let waits = 0;

    /** The clock in a picture, or null. */
    const clockIn = (video, context) => {
        const scale = video.videoWidth / width;
        // What is protected is not drawn.
        context.clearRect(0, 0, cells, 2);
        context.drawImage(video, margin * scale, 0, cells * cell * scale, 2 * row * scale, 0, 0, cells, 2);
        const { data } = context.getImageData(0, 0, cells, 2);
        const bits = Array.from({ length: 2 * cells }, (_, index) => (data[4 * index] > 128 ? "1" : "0")).join("");
        const rows = [bits.slice(0, cells), bits.slice(cells)];
        if (!rows.every((text) => text.startsWith("10") && text.endsWith("01"))) return null;
        const groups = rows.map((text) => text.slice(2, -2)).join("").match(/.{4}/g).map((text) => parseInt(text, 2));
        if (groups.reduce((sum, group) => sum ^ group) !== 0) return null;
        return groups.slice(0, -1).reduce((clock, group) => 16 * clock + group);
    };

    /** UTC in milliseconds of a player's playhead, as it says itself, or null. */
    const dateOf = (index) => {
        if (window.hls) return hls.playingDate?.getTime() ?? null;
        const { utc } = packagerPlayer.sideBySide[index] ?? packagerPlayer;
        return utc === null ? null : 1000 * utc;
    };

    const screens = videos.map((video, index) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: cells, height: 2 });
        const context = canvas.getContext("2d", { willReadFrequently: true });
        // A pixel of the canvas is the one in the middle of a cell.
        context.imageSmoothingEnabled = false;
        const screen = { clock: null, date: null, shownAt: performance.now() };
        const look = (_, { mediaTime }) => {
            video.requestVideoFrameCallback(look);
            screen.shownAt = performance.now();
            const date = dateOf(index);
            screen.date = date === null ? null : date + 1000 * (mediaTime - video.currentTime);
            screen.clock = clockIn(video, context);
        };
        video.requestVideoFrameCallback(look);
        video.addEventListener("waiting", () => (waits += 1));
        return screen;
    });

    setInterval(() => {
        const now = Date.now();
        samples.push({
            rest: performance.now() - Math.min(...screens.map(({ shownAt }) => shownAt)),
            waits,
            read: screens.map(({ clock }) => (clock === null ? null : (now % period) - clock)),
            told: screens.map(({ date }) => (date === null ? null : now - date)),
        });
    }, 100);
    window.glass = { take: () => samples.splice(0) };
}
