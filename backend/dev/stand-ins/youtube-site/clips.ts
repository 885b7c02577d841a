/** The media of the YouTube-shaped site: one short scene in the formats that YouTube has. */
import type { ClipCollection } from "../sample-site/clips.ts";

export const CLIP_SECONDS = 12;

export interface ClipFormat {
  readonly itag: number;
  readonly file: string;
  readonly mimeType: string;
  readonly bitrateBps: number;
  readonly heightLines?: number;
  readonly audioSampleHz?: number;
}

const AVC = { 134: 360, 135: 480, 136: 720, 137: 1080 } as const;
const AVC_BPS: Readonly<Record<number, number>> = { 360: 250_000, 480: 400_000, 720: 700_000, 1080: 1_200_000 };

/** Formats with one track each, worst picture first. */
export const ADAPTIVE_FORMATS: readonly ClipFormat[] = [
  ...Object.entries(AVC).map(([itag, heightLines]) => ({
    itag: Number(itag),
    file: `${itag}.mp4`,
    mimeType: 'video/mp4; codecs="avc1.4d401f"',
    bitrateBps: AVC_BPS[heightLines] ?? 0,
    heightLines,
  })),
  { itag: 139, file: "139.m4a", mimeType: 'audio/mp4; codecs="mp4a.40.2"', bitrateBps: 48_000, audioSampleHz: 44_100 },
  { itag: 140, file: "140.m4a", mimeType: 'audio/mp4; codecs="mp4a.40.2"', bitrateBps: 128_000, audioSampleHz: 44_100 },
  { itag: 251, file: "251.webm", mimeType: 'audio/webm; codecs="opus"', bitrateBps: 128_000, audioSampleHz: 48_000 },
];

/** The format with both tracks, which clients get that no longer get the others. */
export const MUXED_FORMAT: ClipFormat = {
  itag: 18,
  file: "18.mp4",
  mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
  bitrateBps: 350_000,
  heightLines: 360,
  audioSampleHz: 44_100,
};

const FRAGMENTED = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+dash+global_sidx", "-f", "mp4"];
const FRAGMENT_US = "5000000";

const picture = ["-f", "lavfi", "-i", `testsrc2=s=1920x1080:r=25:d=${CLIP_SECONDS}`];
const soundOf = (seconds: number): string[] => ["-f", "lavfi", "-i", `sine=f=220:b=4:r=48000:d=${seconds}`];
const sound = soundOf(CLIP_SECONDS);
const stereo = ["-ac", "2"];

function avc(heightLines: number): string[] {
  const bps = AVC_BPS[heightLines] ?? 0;
  const gop = ["-g", "50", "-keyint_min", "50", "-sc_threshold", "0"];
  const size = ["-vf", `scale=-2:${heightLines}`];
  return [...size, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", ...gop, "-b:v", `${bps}`];
}

function aac(kbps: number): string[] {
  return ["-c:a", "aac", "-b:a", `${kbps}k`, "-ar", "44100", ...stereo];
}

function soundSteps(input: readonly string[]): string[][] {
  return [
    [...input, ...aac(48), "-frag_duration", FRAGMENT_US, ...FRAGMENTED, "139.m4a"],
    [...input, ...aac(128), "-frag_duration", FRAGMENT_US, ...FRAGMENTED, "140.m4a"],
    [...input, "-c:a", "libopus", "-b:a", "128k", ...stereo, "-cues_to_front", "1", "-f", "webm", "251.webm"],
  ];
}

const THUMBNAIL = ["-f", "lavfi", "-i", "testsrc2=s=1280x720:d=1", "-frames:v", "1", "thumbnail.jpg"];

export const YOUTUBE_CLIPS: ClipCollection = {
  name: "youtube-site",
  recipes: [
    {
      folder: "clip",
      steps: [
        ...Object.entries(AVC).map(([itag, height]) => [...picture, ...avc(height), ...FRAGMENTED, `${itag}.mp4`]),
        ...soundSteps(sound),
        [...picture, ...sound, ...avc(360), ...aac(96), "-movflags", "+faststart", "-f", "mp4", "18.mp4"],
        THUMBNAIL,
      ],
    },
  ],
};

/** The same formats for as long as a song. The picture is a short scene, repeated without encoding. */
export function longYouTubeClips(seconds: number): ClipCollection {
  const loop = (itag: string): string[] => ["-stream_loop", "-1", "-i", `loop-${itag}.mp4`];
  const copy = ["-t", `${seconds}`, "-c", "copy"];
  return {
    name: `youtube-site-${seconds}s`,
    recipes: [
      {
        folder: "clip",
        steps: [
          ...Object.entries(AVC).map(([itag, height]) => [...picture, ...avc(height), `loop-${itag}.mp4`]),
          ...Object.keys(AVC).map((itag) => [...loop(itag), ...copy, ...FRAGMENTED, `${itag}.mp4`]),
          ...soundSteps(soundOf(seconds)),
          [...loop("134"), "-i", "140.m4a", ...copy, "-movflags", "+faststart", "-f", "mp4", "18.mp4"],
          THUMBNAIL,
        ],
      },
    ],
  };
}
