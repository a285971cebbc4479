#!/bin/sh
# Makes feed.ts, a short feed that repeats without a seam, feed-180p.ts, the same from an encoder that is set otherwise,
# and slate.ts, what is shown while there is no feed. README.md says what is in them.
#
# usage: Samples/make-samples.sh [FOLDER]     (FOLDER: where they go; by default, beside this script)
set -eu

folder=${1:-$(dirname "$0")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One thread and no build or date in the headers: the same FFmpeg makes the same bytes.
exact="-threads 1 -flags +bitexact -fflags +bitexact"
fonts=/usr/share/fonts/truetype/dejavu

# 8 s are the shortest whole seconds that hold whole frames of both kinds: 200 pictures at 25 Hz,
# 375 AAC frames of 1024 samples at 48 kHz.
length=8

encode() { # PROFILE KBIT/S X264-PARAMETERS OPTION...
    profile=$1 rate=$2 parameters=$3
    shift 3
    ffmpeg -hide_banner -loglevel error -y -filter_threads 1 "$@" \
        -c:v libx264 -profile:v "$profile" -pix_fmt yuv420p -preset slow -b:v "${rate}k" \
        -g 25 -keyint_min 25 -sc_threshold 0 -bf 2 -x264-params "open-gop=0:aud=1:threads=1:$parameters" \
        $exact -f mp4 "$work/video.mp4"
}

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

feed() { # NAME WIDTH HEIGHT PROFILE KBIT/S
    label="fontfile=$fonts/DejaVuSansMono-Bold.ttf:fontsize=$(($3 / 12)):fontcolor=white"
    label="$label:box=1:boxcolor=black@0.6:boxborderw=$(($3 / 60)):x=(w-tw)/2"
    most=$(($5 * 4 / 3))
    encode "$4" "$5" "b-adapt=0:vbv-maxrate=$most:vbv-bufsize=$most" \
        -f lavfi -i "testsrc2=size=$2x$3:rate=25:duration=$length" \
        -vf "drawtext=$label:y=h-$(($3 / 4)):timecode='00\:00\:00\:00':rate=25,drawtext=$label:y=h-$(($3 * 5 / 36)):text='frame %{n}'"
    ffmpeg -hide_banner -loglevel error -y \
        -i "$work/video.mp4" -i "$work/eng.aac" -i "$work/deu.aac" \
        -map 0:v -map 1:a -map 2:a -c copy $exact \
        -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu \
        -metadata service_name=feed -metadata service_provider=samples \
        -f mpegts "$folder/$1"
}
feed feed.ts 640 360 high 600
feed feed-180p.ts 320 180 main 150

# The slate is encoded as feed.ts is, so that its parameter sets are the same and decoders go on. It could have
# B-frames, therefore, but has none (b-bias): it is cut anywhere, and nothing may be missing there.
words="fontfile=$fonts/DejaVuSans.ttf"
encode high 120 "b-adapt=1:b-bias=-100:vbv-maxrate=800:vbv-bufsize=800" \
    -f lavfi -i "color=0x1B2B3A:size=640x360:rate=25:duration=$length" \
    -vf "drawtext=$words:fontsize=40:fontcolor=0xDCE4EC:x=(w-tw)/2:y=140:text='We will be right back',drawtext=$words:fontsize=22:fontcolor=0x7FA6C8:x='(w-tw)/2+90*sin(PI*t/2)':y=210:text='●'"
ffmpeg -hide_banner -loglevel error -y \
    -i "$work/video.mp4" -f lavfi -i "anullsrc=sample_rate=48000:channel_layout=stereo" \
    -map 0:v -map 1:a -c:v copy -c:a aac -b:a 64k -frames:a 375 $exact \
    -metadata service_name=slate -metadata service_provider=samples \
    -f mpegts "$folder/slate.ts"
