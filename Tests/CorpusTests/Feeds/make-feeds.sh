#!/bin/sh
# Makes the feeds of the corpus: a few seconds of each codec, as small as encoders make them.
#
# usage: Tests/CorpusTests/Feeds/make-feeds.sh
#
# Another version of FFmpeg makes other bytes; whoever makes the feeds anew records the goldens anew.
set -eu
cd "$(dirname "$0")"

exact="-threads 1 -flags +bitexact -fflags +bitexact"
picture="-f lavfi -i testsrc2=size=128x72:rate=25:duration=4"
quiet="-f lavfi -i aevalsrc=0.001*sin(2*PI*(300+20*t)*t):s=48000:c=mono:d=3"
sound="-f lavfi -i aevalsrc=0.2*sin(2*PI*(300+20*t)*t):s=48000:c=mono:d=4"
h264="-c:v libx264 -preset veryfast -crf 45 -pix_fmt yuv420p -g 25 -keyint_min 25 -sc_threshold 0 -bf 2"
x264="threads=1:aud=1"
h265="-c:v libx265 -preset ultrafast -crf 45 -pix_fmt yuv420p"
x265="keyint=25:min-keyint=25:scenecut=0:bframes=3:aud=1:repeat-headers=1:log-level=error:pools=none:frame-threads=1"

make() { # FILE OPTION...
    file=$1
    shift
    ffmpeg -hide_banner -loglevel error -nostdin -y -filter_threads 1 "$@" $exact "$file"
}

# Audio codecs, each beside the same picture.
avc() { # FILE AUDIO-OPTION...
    file=$1
    shift
    make "$file" $picture $sound $h264 -x264-params "$x264" "$@"
}
avc aac.ts -c:a aac -b:a 24k
avc aac.mp4 -c:a aac -b:a 24k
avc ac3.ts -c:a ac3 -b:a 56k
avc eac3.ts -c:a eac3 -b:a 32k
avc mp2.ts -c:a mp2 -b:a 48k
avc mp3.ts -c:a libmp3lame -b:a 32k
avc opus.ts -c:a libopus -b:a 16k
# Lossless ones are short, and quiet.
make flac.mp4 $picture $quiet $h264 -x264-params "$x264" -c:a flac -strict -2
make alac.mp4 $picture $quiet $h264 -x264-params "$x264" -c:a alac

# Video codecs. Groups of five pictures do not divide 24, so that pictures that lead a key frame follow it in the stream.
make hevc.ts $picture $sound $h265 -x265-params "$x265:open-gop=0" -c:a aac -b:a 24k
make hevc.mp4 $picture $sound $h265 -x265-params "$x265:open-gop=1:bframes=4:b-adapt=0" -tag:v hvc1 -c:a eac3 -b:a 32k
make av1.mp4 $picture $sound -c:v libsvtav1 -preset 12 -crf 63 -g 25 -pix_fmt yuv420p -c:a libopus -b:a 16k

# H.264 that is harder to cut: recovery points instead of IDR pictures, interlaced frames.
make open-gop.ts $picture $sound $h264 -x264-params "$x264:open-gop=1:bframes=4:b-adapt=0" -c:a aac -b:a 24k
make interlaced.ts $picture $sound $h264 -x264-params "$x264:tff=1" -flags:v +ildct+ilme -c:a aac -b:a 24k

# Its pictures have room for labels: the corpus puts timecode there.
make pic-struct.ts $picture $sound $h264 -x264-params "$x264:pic-struct=1" -c:a aac -b:a 24k

# Rates that are no whole ticks of 90 kHz.
make ntsc.ts -f lavfi -i testsrc2=size=128x72:rate=30000/1001:duration=4 \
    -f lavfi -i "aevalsrc=0.2*sin(2*PI*(300+20*t)*t):s=44100:c=mono:d=4" \
    $h264 -g 30 -keyint_min 30 -x264-params "$x264" -c:a aac -b:a 24k

# What is live, the same larger, and the same in two languages: 8 s that repeat without a seam. As in
# Samples/make-samples.sh, the audio is cut out of the middle of a longer encoding.
beep() { # NAME HERTZ
    make "$work/long.aac" -f lavfi -i "aevalsrc=0.2*sin(2*PI*$2*t)*(1+mod(t\,1)):s=48000:c=mono:d=25" -c:a aac -b:a 24k
    make "$work/$1.aac" -i "$work/long.aac" -ss 8.01 -frames:a 375 -c copy
}
live() { # FILE SIZE PROFILE LANGUAGE...
    target=$1
    make "$work/video.mp4" -f lavfi -i "testsrc2=size=$2:rate=25:duration=8" $h264 -profile:v "$3" -x264-params "$x264"
    shift 3
    inputs="-i $work/video.mp4" options="-map 0" count=0
    for language in "$@"; do
        inputs="$inputs -i $work/$language.aac"
        options="$options -map $((count + 1)) -metadata:s:a:$count language=$language"
        count=$((count + 1))
    done
    make "$target" $inputs $options -c copy
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
beep eng 500
beep deu 220
live live.ts 128x72 main eng
live high.ts 192x108 high eng
live languages.ts 128x72 main eng deu
