/**
 * The ffmpeg commands that make the sample clips: soft scenes with a moving light and a quiet sound.
 * Pictures are drawn at 320 × 180 and scaled up, because drawing takes longer than encoding.
 */

/** One folder of clips. `steps` are ffmpeg arguments, run one after the other inside that folder. */
export interface ClipRecipe {
  readonly folder: string;
  readonly steps: readonly (readonly string[])[];
}

/** The arguments of a command in one line; none of them has a space. */
export const words = (line: string): string[] => line.split(" ");

interface Scene {
  readonly colours: readonly [string, string, string];
  readonly light: string;
  /** An `aevalsrc` expression of the time t. */
  readonly sound: string;
  readonly seconds: number;
}

const FPS = 20;

/** Filter for a slow gradient with a round light that drifts across it; its output label is [scene]. */
function picture({ colours: [c0, c1, c2], light, seconds }: Scene): string {
  return [
    `gradients=s=320x180:r=${FPS}:d=${seconds}:n=3:c0=${c0}:c1=${c1}:c2=${c2}:speed=0.01:seed=7[ground]`,
    `color=c=${light}:s=40x40:r=${FPS},format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':` +
      `a='230*clip(20-hypot(X-19.5,Y-19.5),0,4)/4',trim=end_frame=1,loop=-1:size=1,setpts=N/${FPS}/TB[light]`,
    `[ground][light]overlay=x='140+110*sin(t*0.8)':y='70+45*cos(t*1.1)':shortest=1,format=yuv420p[scene]`,
  ].join(";");
}

function sound({ sound: expression, seconds }: Scene): string {
  return `aevalsrc='${expression}':s=48000:d=${seconds},aformat=channel_layouts=stereo[sound]`;
}

/** Filter that scales [scene] to each height; output labels are [v0], [v1] and so on. */
function renditions(heights: readonly number[]): string {
  const split = `[scene]split=${heights.length}${heights.map((_, index) => `[s${index}]`).join("")}`;
  const scaled = heights.map(
    (height, index) => `[s${index}]scale=${width(height)}:${height}:flags=fast_bilinear[v${index}]`,
  );
  return [split, ...scaled].join(";");
}

/** Width of a 16:9 picture, rounded to an even number for H.264. */
function width(height: number): number {
  return 2 * Math.round((height * 16) / 9 / 2);
}

/** A key frame every two seconds, so that segments can be cut there. */
const H264 = words(`-c:v libx264 -preset ultrafast -g ${2 * FPS} -sc_threshold 0 -pix_fmt yuv420p`);
const AAC = words("-c:a aac -aac_coder fast -b:a 128k");

function cover(scene: Scene): string[] {
  const graph = `${picture({ ...scene, seconds: 1 })};[scene]scale=640:360:flags=fast_bilinear,format=yuvj420p[v]`;
  return words(`-filter_complex ${graph} -map [v] -frames:v 1 -q:v 4 cover.jpg`);
}

const RAIN: Scene = {
  colours: ["0x0B2545", "0x3E6990", "0x8DA9C4"],
  light: "0xEEF4ED",
  sound: "0.10*(random(0)-0.5)*(1.5+sin(t*0.7))+0.05*sin(2*PI*110*t)*sin(t)",
  seconds: 30,
};
const LANTERNS: Scene = {
  colours: ["0x3A0CA3", "0xF72585", "0xFFB703"],
  light: "0xFFF3B0",
  sound: "0.12*sin(2*PI*220*t)*(0.6+0.4*sin(3*t))+0.08*sin(2*PI*277.2*t)+0.06*sin(2*PI*329.6*t)",
  seconds: 24,
};
const TIDE: Scene = {
  colours: ["0x264653", "0x2A9D8F", "0xE9C46A"],
  light: "0xF4A261",
  sound: "0.14*(random(0)-0.5)*(1+sin(t*0.9))",
  seconds: 24,
};
const STARS: Scene = {
  colours: ["0x03071E", "0x14213D", "0x5A189A"],
  light: "0xFFFFFF",
  sound: "0.10*sin(2*PI*98*t)+0.06*sin(2*PI*147*t)*(0.5+0.5*sin(0.5*t))+0.04*sin(2*PI*392*t)*sin(0.3*t)",
  seconds: 24,
};
const CELLO: Scene = {
  colours: ["0x2B2118", "0x6F4E37", "0xC08552"],
  light: "0xF3E9DC",
  sound: "0.2*sin(2*PI*65.4*t)+0.1*sin(2*PI*130.8*t)+0.07*sin(2*PI*196.2*t)*(0.7+0.3*sin(5*t))+0.03*sin(2*PI*261.6*t)",
  seconds: 24,
};
const SNOW: Scene = {
  colours: ["0xA9D6E5", "0xE8F1F2", "0x61A5C2"],
  light: "0xFFFFFF",
  sound: "0",
  seconds: 20,
};

export const HLS_HEIGHTS = [240, 480, 720] as const;
export const DASH_HEIGHTS = [240, 480, 720, 1080] as const;
const VIDEO_KBPS: Readonly<Record<number, number>> = { 240: 200, 480: 600, 720: 1_500, 1080: 3_000 };

function bitrates(heights: readonly number[]): string[] {
  return heights.flatMap((height, index) => [`-b:v:${index}`, `${VIDEO_KBPS[height] ?? 500}k`]);
}

/** Ten seconds at one picture a second. Longer videos repeat it without encoding, which takes no time. */
function dullLoop(height: number): string[] {
  const scene = `-f lavfi -i color=c=0x264653:s=${width(height)}x${height}:r=1:d=10 -f lavfi -i anullsrc=r=16000:cl=mono -t 10`;
  const made = "-c:v libx264 -preset ultrafast -crf 45 -pix_fmt yuv420p -g 10 -c:a aac -b:a 16k";
  return words(`${scene} ${made} loop-${height}.ts`);
}

/** Repeats the ten seconds of a height. */
const repeatedLoop = (height: number, seconds: number, output: string): string[] =>
  words(`-stream_loop -1 -i loop-${height}.ts -t ${seconds} -c copy ${output}`);

export const LAKE_SECONDS = 19 * 60;
export const LAKE_HEIGHTS = [240, 480, 1080] as const;
export const THREE_HOURS_SECONDS = 3 * 60 * 60;
/** Between the lengths that the two plans accept. */
const FILMED_LECTURE_SECONDS = 22 * 60;

export const CLICKS_SECONDS = 100;
/** Frames per second of the picture. */
export const CLICKS_FPS = FPS;
/** Length of a click, and its pitch in hertz: that of second n is `first + n * step`. */
export const CLICK = { seconds: 0.04, firstHz: 500, stepHz: 50 } as const;

/**
 * A click at every full second, each of another pitch, and a picture that counts: brightness 16 plus ten for each frame
 * of the second on the left, plus twenty for each second of ten in the middle, and for each ten seconds on the right.
 */
function clicksGraph(size: string): string {
  return [
    `color=c=black:s=48x27:r=${FPS}:d=${CLICKS_SECONDS},format=yuv420p`,
    `geq=lum='16+if(lt(X,16),10*mod(N,${FPS}),20*if(lt(X,32),mod(floor(N/${FPS}),10),floor(N/${10 * FPS})))':cb=128:cr=128`,
    // Noise takes as many bits as a real picture.
    `scale=${size}:flags=neighbor,noise=c0s=12:c0f=t[v];aevalsrc='0.8*lt(mod(t,1),${CLICK.seconds})*` +
      `sin(2*PI*(${CLICK.firstHz}+${CLICK.stepHz}*floor(t))*t)':s=48000:d=${CLICKS_SECONDS}`,
    "aformat=channel_layouts=stereo[sound]",
  ].join(",");
}

/** @returns arguments that make the clip, in a file that begins with its index */
function clicksClip(size: string, rate: string): string {
  const made = [...H264, "-bf", "2", "-b:v", rate, "-maxrate", rate, "-bufsize", rate, ...AAC];
  return `-filter_complex ${clicksGraph(size)} -map [v] -map [sound] ${made.join(" ")} -movflags +faststart video.mp4`;
}

const DASH_OUTPUT =
  "-f dash -seg_duration 4 -use_timeline 0 -use_template 1 -init_seg_name init-$RepresentationID$.m4s";

/** In fragments behind a common index, as YouTube has its files. */
const FRAGMENTS = "frag_keyframe+empty_moov+default_base_moof+global_sidx+negative_cts_offsets";

const CLICKS_STEPS: ClipRecipe["steps"] = [
  clicksClip("320x180", "1200k"),
  "-i video.mp4 -vn -c copy -movflags +faststart audio.m4a",
  `-i video.mp4 -c copy -movflags ${FRAGMENTS} parts.mp4`,
  "-i video.mp4 -vn -c:a libopus -b:a 96k -vbr off -cues_to_front 1 audio.webm",
  "-i video.mp4 -c copy -f hls -hls_time 4 -hls_playlist_type vod -hls_segment_filename hls-%d.ts index.m3u8",
  `-i video.mp4 -c copy ${DASH_OUTPUT} -media_seg_name dash-$RepresentationID$-$Number$.m4s manifest.mpd`,
].map(words);

/** The clip of clicks for tests that encode it often: a sixth of the pixels, and all else the same. */
export const SMALL_CLICKS: ClipRecipe = { folder: "clicks", steps: [words(clicksClip("128x72", "300k"))] };

/** The slowest first, so that two encoders end at about the same time. */
export const CLIP_RECIPES: readonly ClipRecipe[] = [
  {
    folder: "observatory",
    steps: [
      [
        "-filter_complex",
        [picture(STARS), sound(STARS), renditions(DASH_HEIGHTS)].join(";"),
        ...DASH_HEIGHTS.flatMap((_, index) => ["-map", `[v${index}]`]),
        "-map",
        "[sound]",
        ...H264,
        ...bitrates(DASH_HEIGHTS),
        ...AAC,
        ...words(`${DASH_OUTPUT} -media_seg_name part-$RepresentationID$-$Number$.m4s -adaptation_sets`),
        "id=0,streams=v id=1,streams=a",
        "manifest.mpd",
      ],
      cover(STARS),
    ],
  },
  {
    folder: "tide",
    steps: [
      [
        "-filter_complex",
        [
          picture(TIDE),
          sound(TIDE),
          renditions(HLS_HEIGHTS),
          `[sound]asplit=${HLS_HEIGHTS.length}${HLS_HEIGHTS.map((_, index) => `[a${index}]`).join("")}`,
        ].join(";"),
        ...HLS_HEIGHTS.flatMap((_, index) => ["-map", `[v${index}]`, "-map", `[a${index}]`]),
        ...H264,
        ...bitrates(HLS_HEIGHTS),
        ...AAC,
        ...words("-f hls -hls_time 4 -hls_playlist_type vod -master_pl_name master.m3u8 -var_stream_map"),
        HLS_HEIGHTS.map((height, index) => `v:${index},a:${index},name:${height}`).join(" "),
        ...words("-hls_segment_filename %v/part-%d.ts %v/index.m3u8"),
      ],
      cover(TIDE),
    ],
  },
  {
    folder: "rain",
    steps: [
      [
        "-filter_complex",
        [picture(RAIN), sound(RAIN), renditions([720])].join(";"),
        ...words("-map [v0] -map [sound]"),
        ...H264,
        ...words("-b:v 1200k"),
        ...AAC,
        ...words("-movflags +faststart video.mp4"),
      ],
      cover(RAIN),
    ],
  },
  {
    folder: "lanterns",
    steps: [
      [
        "-filter_complex",
        [picture(LANTERNS), sound(LANTERNS), renditions([360])].join(";"),
        ...words("-map [v0] -map [sound] -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1"),
        ...words("-b:v 500k -g 96 -c:a libopus -b:a 96k video.webm"),
      ],
      cover(LANTERNS),
    ],
  },
  {
    folder: "cello",
    steps: [
      ["-filter_complex", sound(CELLO), "-map", "[sound]", ...AAC, "-movflags", "+faststart", "audio.m4a"],
      cover(CELLO),
    ],
  },
  {
    folder: "snow",
    steps: [
      [
        "-filter_complex",
        [picture(SNOW), renditions([480])].join(";"),
        ...words("-map [v0]"),
        ...H264,
        ...words("-b:v 600k -movflags +faststart video.mp4"),
      ],
      cover(SNOW),
    ],
  },
  {
    folder: "lake",
    steps: LAKE_HEIGHTS.flatMap((height) => [
      dullLoop(height),
      repeatedLoop(
        height,
        LAKE_SECONDS,
        `-f hls -hls_time 60 -hls_playlist_type vod -hls_segment_filename ${height}-%d.ts ${height}.m3u8`,
      ),
    ]),
  },
  {
    folder: "three-hours",
    steps: [
      dullLoop(90),
      repeatedLoop(90, THREE_HOURS_SECONDS, "-movflags +faststart video.mp4"),
      repeatedLoop(90, FILMED_LECTURE_SECONDS, "-movflags +faststart 22-minutes.mp4"),
    ],
  },
  { folder: "clicks", steps: CLICKS_STEPS },
  {
    folder: "vp8",
    steps: [
      words(
        "-f lavfi -i testsrc2=s=320x288:r=10:d=3 -c:v libvpx -deadline realtime -cpu-used 8 -b:v 50k -g 1 video.webm",
      ),
    ],
  },
];

/** Real length of each clip. */
export const CLIP_SECONDS = {
  observatory: STARS.seconds,
  tide: TIDE.seconds,
  rain: RAIN.seconds,
  lanterns: LANTERNS.seconds,
  cello: CELLO.seconds,
  snow: SNOW.seconds,
  lake: LAKE_SECONDS,
  threeHours: THREE_HOURS_SECONDS,
  clicks: CLICKS_SECONDS,
  filmedLecture: FILMED_LECTURE_SECONDS,
} as const;
