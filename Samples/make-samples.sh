#!/bin/sh
# Makes feed.ts, a short feed that repeats without a seam. README.md says what is in it.
#
# usage: Samples/make-samples.sh [FOLDER]     (FOLDER: where feed.ts goes; by default, beside this script)
set -eu

folder=${1:-$(dirname "$0")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One thread and no build or date in the headers: the same FFmpeg makes the same bytes.
exact="-threads 1 -flags +bitexact -fflags +bitexact"
font=/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf

# 8 s are the shortest whole seconds that hold whole frames of both kinds: 200 pictures at 25 Hz,
# 375 AAC frames of 1024 samples at 48 kHz.
label="fontfile=$font:fontsize=30:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=6:x=(w-tw)/2"
ffmpeg -hide_banner -loglevel error -y -filter_threads 1 \
    -f lavfi -i "testsrc2=size=640x360:rate=25:duration=8" \
    -vf "drawtext=$label:y=h-90:timecode='00\:00\:00\:00':rate=25,drawtext=$label:y=h-50:text='frame %{n}'" \
    -c:v libx264 -profile:v high -pix_fmt yuv420p -preset slow -b:v 600k -maxrate 800k -bufsize 800k \
    -g 25 -keyint_min 25 -sc_threshold 0 -bf 2 -x264-params open-gop=0:aud=1:b-adapt=0:threads=1 \
    $exact -f mp4 "$work/video.mp4"

# A short beep on every full second. Three rounds are encoded and the middle one is kept, so that its last
# frame overlaps into its first as any frame does into the next. It begins one frame after the eighth second
# (hence 8.01), since the encoder's output is that much behind its input.
beep() { # NAME HERTZ
    ffmpeg -hide_banner -loglevel error -y \
        -f lavfi -i "aevalsrc=0.4*sin(2*PI*$2*t)*lt(mod(t\,1)\,0.12)|0.2*sin(2*PI*$2*t)*lt(mod(t\,1)\,0.12):s=48000:d=25" \
        -c:a aac -b:a 64k $exact -f adts "$work/$1-long.aac"
    ffmpeg -hide_banner -loglevel error -y -i "$work/$1-long.aac" \
        -ss 8.01 -frames:a 375 -c copy $exact -f adts "$work/$1.aac"
}
beep eng 1000
beep deu 440

ffmpeg -hide_banner -loglevel error -y \
    -i "$work/video.mp4" -i "$work/eng.aac" -i "$work/deu.aac" \
    -map 0:v -map 1:a -map 2:a -c copy $exact \
    -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu \
    -metadata service_name=feed -metadata service_provider=samples \
    -f mpegts "$folder/feed.ts"
