/**
 * The clips of the bench, from half a minute to two hours. Twenty seconds of video are drawn and
 * repeated without encoding. The sound is ten minutes of chords and noise, because encoding time depends on the sound.
 */
import { type ClipRecipe, words } from "../../stand-ins/sample-site/clip-recipes.ts";
import type { ClipCollection } from "../../stand-ins/sample-site/clips.ts";

const LOOP_SECONDS = 20;
const SOUND_SECONDS = 600;
const FPS = 25;

/** Typical bit rates of video sites; ten minutes with 720 lines and sound have 154 MB. */
const VIDEO_KBPS = { 240: 250, 480: 480, 720: 1_915, 1080: 3_500 } as const;
export type Lines = keyof typeof VIDEO_KBPS;

const SOUND =
  "0.12*sin(2*PI*220*t)*(0.6+0.4*sin(3*t))+0.08*sin(2*PI*277.2*t)*sin(0.7*t)" +
  "+0.06*sin(2*PI*1318.5*t)*sin(5*t)+0.05*(random(0)-0.5)*(1+sin(0.9*t))";

function width(lines: number): number {
  return 2 * Math.round((lines * 16) / 9 / 2);
}

function drawn(lines: Lines, codec: readonly string[], file: string, seconds = LOOP_SECONDS): string[] {
  const scene = `testsrc2=s=${width(lines)}x${lines}:r=${FPS}:d=${seconds},noise=alls=14:allf=t,format=yuv420p`;
  return [...words(`-f lavfi -i ${scene}`), ...codec, ...words(`-aspect 16:9 -g ${2 * FPS} ${file}`)];
}

/** With a constant bit rate, so that file sizes are as planned. */
function h264(lines: Lines): string[] {
  const rate = `${VIDEO_KBPS[lines]}k`;
  return words(`-c:v libx264 -preset veryfast -bf 0 -sc_threshold 0 -b:v ${rate} -maxrate ${rate} -bufsize ${rate}`);
}

const vp9 = (lines: Lines): string[] =>
  words(`-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -b:v ${VIDEO_KBPS[lines]}k`);

const sound = (file: string, codec: readonly string[], seconds = SOUND_SECONDS): string[] => [
  ...words(`-f lavfi -i aevalsrc='${SOUND}|${SOUND}':s=48000:d=${seconds}`),
  ...codec,
  file,
];
const AAC = words("-c:a aac -aac_coder fast -b:a 128k");
const AAC_RICH = words("-c:a aac -aac_coder fast -b:a 192k");

const COVER = words("-f lavfi -i testsrc2=s=640x360:d=1 -frames:v 1 -q:v 4 cover.jpg");

function progressive(lines: Lines, seconds: number): string[] {
  const inputs = `-stream_loop -1 -i loop-${lines}.mp4 -stream_loop -1 -i sound.m4a`;
  return words(`${inputs} -map 0:v -map 1:a -t ${seconds} -c copy -movflags +faststart video-${lines}.mp4`);
}

function webm(lines: Lines, seconds: number, file: string): string[] {
  return words(`-stream_loop -1 -i loop-${lines}.webm -i sound.webm -map 0:v -map 1:a -t ${seconds} -c copy ${file}`);
}

/** Every rendition includes the sound, as in most HLS streams. */
function hls(renditions: readonly Lines[]): string[] {
  return [
    ...renditions.flatMap((lines) => ["-i", `video-${lines}.mp4`]),
    ...renditions.flatMap((_, index) => ["-map", `${index}:v`, "-map", `${index}:a`]),
    ...words("-c copy -f hls -hls_time 6 -hls_playlist_type vod -master_pl_name master.m3u8 -var_stream_map"),
    renditions.map((lines, index) => `v:${index},a:${index},name:${lines}`).join(" "),
    ...words("-hls_segment_filename hls-%v/part-%d.ts hls-%v/index.m3u8"),
  ];
}

/** Video and sound in separate streams. */
function dash(renditions: readonly Lines[]): string[] {
  return [
    ...renditions.flatMap((lines) => ["-i", `video-${lines}.mp4`]),
    ...renditions.flatMap((_, index) => ["-map", `${index}:v`]),
    ...words("-map 0:a -c copy -f dash -seg_duration 4 -use_timeline 0 -use_template 1"),
    ...words("-init_seg_name init-$RepresentationID$.m4s -media_seg_name part-$RepresentationID$-$Number$.m4s"),
    "-adaptation_sets",
    "id=0,streams=v id=1,streams=a",
    "manifest.mpd",
  ];
}

const loops = (renditions: readonly Lines[]): string[][] =>
  renditions.map((lines) => drawn(lines, h264(lines), `loop-${lines}.mp4`));

const RECIPES: readonly ClipRecipe[] = [
  ...(
    [
      ["ten", 600],
      ["two", 120],
    ] as const
  ).map(([folder, seconds]) => ({
    folder,
    steps: [
      ...loops([240, 480, 720, 1080]),
      sound("sound.m4a", AAC),
      ...([240, 480, 720, 1080] as const).map((lines) => progressive(lines, seconds)),
      hls([240, 480, 720]),
      dash([480, 720, 1080]),
      COVER,
    ],
  })),
  {
    folder: "long",
    steps: [...loops([240]), sound("sound.m4a", AAC_RICH), progressive(240, 7_200), hls([240]), dash([240]), COVER],
  },
  {
    folder: "vp9",
    steps: [
      ...([480, 1080] as const).map((lines) => drawn(lines, vp9(lines), `loop-${lines}.webm`)),
      sound("sound.webm", ["-c:a", "libopus", "-b:a", "96k"]),
      ...([480, 1080] as const).map((lines) => webm(lines, 60, `video-${lines}.webm`)),
      webm(480, 15, "short.webm"),
      COVER,
    ],
  },
  { folder: "brief", steps: [...loops([480]), sound("sound.m4a", AAC), progressive(480, 30), COVER] },
  { folder: "three", steps: [...loops([480]), sound("sound.m4a", AAC), progressive(480, 180), COVER] },
];

export interface BenchClips {
  readonly collection: ClipCollection;
  /** A large one, typical of the others. */
  readonly plainFile: string;
  /** Page of a short one, for the first conversions of a server. */
  readonly warmUpPage: string;
}

export const BENCH_CLIPS: BenchClips = {
  collection: { name: "bench-clips", recipes: RECIPES },
  plainFile: "ten/video-720.mp4",
  warmUpPage: "brief-progressive",
};

/** Length of the guard's clip. */
export const GUARD_SECONDS = 120;
/** As long as an interval of key frames. */
const GUARD_LOOP_SECONDS = 2;
const GUARD_SOUND_SECONDS = 30;

/** One clip in three forms, made in a few seconds: the guard runs with the tests. */
export const GUARD_CLIPS: BenchClips = {
  collection: {
    name: "guard-clips",
    recipes: [
      {
        folder: "guard",
        steps: [
          drawn(480, h264(480), "loop-480.mp4", GUARD_LOOP_SECONDS),
          sound("sound.m4a", AAC, GUARD_SOUND_SECONDS),
          progressive(480, GUARD_SECONDS),
          hls([480]),
          dash([480]),
          COVER,
        ],
      },
    ],
  },
  plainFile: "guard/video-480.mp4",
  warmUpPage: "guard-progressive",
};
