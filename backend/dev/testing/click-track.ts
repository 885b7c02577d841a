/** Reads the sample site's clip of clicks back from a converted file: see `CLICK` in clip-recipes.ts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect } from "vitest";
import { CLICK, CLICKS_FPS, CLICKS_SECONDS } from "../stand-ins/sample-site/clip-recipes.ts";

const HZ = 48_000;
const WIDTH = 48;
/** Two lines of brightness, one of each colour at half the width. */
const FRAME_BYTES = WIDTH * 3;
const THRESHOLD = 0.2;
/** Clicks are a second apart, and their sound may ring. */
const QUIET_SECONDS = 0.3;
const MP3_FRAME_SECONDS = 1_152 / HZ;

export interface Click {
  /** Second of the video that it marks, by its pitch. */
  readonly second: number;
  /** Where it is in the file. */
  readonly atSeconds: number;
}

/** What a file has, and what ffmpeg said while it decoded it. */
export interface Tracks {
  readonly clicks: readonly Click[];
  /** See {@link readFrameNumbers}. */
  readonly frames: readonly number[];
  /** Empty when every packet could be decoded. */
  readonly errors: string;
}

/** @returns what ffmpeg writes to "pipe:1", to "pipe:3" and to standard error */
async function ffmpeg(ffmpegPath: string, args: readonly string[]): Promise<readonly [Buffer, Buffer, string]> {
  const child = spawn(ffmpegPath, ["-v", "error", "-nostdin", ...args], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const [first, errors, second] = child.stdio.slice(1) as [Readable, Readable, Readable];
  const [bytes, more, said, [code]] = await Promise.all([
    buffer(first),
    buffer(second),
    text(errors),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${said}`);
  return [bytes, more, said];
}

const soundTo = (pipe: string) => ["-map", "0:a:0", "-ac", "1", "-ar", String(HZ), "-f", "f32le", pipe];
const pictureTo = (pipe: string) => [
  "-map",
  "0:v:0",
  "-vf",
  `scale=${WIDTH}:2:flags=area,format=yuv420p`,
  "-fps_mode",
  "passthrough",
  "-f",
  "rawvideo",
  pipe,
];

/** @returns the pitch, from the times of its first and last upward crossing of zero */
function pitchOf(samples: Float32Array): number {
  const crossings: number[] = [];
  for (let at = 1; at < samples.length; at += 1)
    if ((samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0) crossings.push(at);
  return ((crossings.length - 1) * HZ) / ((crossings.at(-1) ?? NaN) - (crossings[0] ?? NaN));
}

function clicksIn(bytes: Buffer): Click[] {
  const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const clicks: Click[] = [];
  for (let at = 0; at + CLICK.seconds * HZ <= samples.length; at += 1) {
    if (Math.abs(samples[at] ?? 0) < THRESHOLD) continue;
    const middle = samples.subarray(at + 0.005 * HZ, at + (CLICK.seconds - 0.005) * HZ);
    const second = Math.round((pitchOf(middle) - CLICK.firstHz) / CLICK.stepHz);
    clicks.push({ second, atSeconds: at / HZ });
    at += QUIET_SECONDS * HZ;
  }
  return clicks;
}

function frameNumbersIn(bytes: Buffer): number[] {
  const brightnessAt = (frame: number, x: number): number => (bytes[frame * FRAME_BYTES + x] ?? 0) - 16;
  return Array.from({ length: bytes.length / FRAME_BYTES }, (_, frame) => {
    const [ofSecond = 0, seconds = 0, tens = 0] = [
      [8, 10],
      [24, 20],
      [40, 20],
    ].map(([x = 0, step = 1]) => Math.round(brightnessAt(frame, x) / step));
    return (tens * 10 + seconds) * CLICKS_FPS + ofSecond;
  });
}

/** @returns all clicks that are heard whole */
export async function readClicks(ffmpegPath: string, path: string): Promise<Click[]> {
  const [sound] = await ffmpeg(ffmpegPath, ["-i", path, ...soundTo("pipe:1")]);
  return clicksIn(sound);
}

/** @returns number of each frame of the file in the clip, counted from 0, by its brightness */
export async function readFrameNumbers(ffmpegPath: string, path: string): Promise<number[]> {
  const [picture] = await ffmpeg(ffmpegPath, ["-i", path, ...pictureTo("pipe:1")]);
  return frameNumbersIn(picture);
}

/** Reads both at a time, because starting ffmpeg takes longer than decoding a short file. */
export async function readTracks(ffmpegPath: string, path: string): Promise<Tracks> {
  const [sound, picture, errors] = await ffmpeg(ffmpegPath, ["-i", path, ...soundTo("pipe:1"), ...pictureTo("pipe:3")]);
  return { clicks: clicksIn(sound), frames: frameNumbersIn(picture), errors };
}

/** Start and end of a part of the clip, in seconds. */
export type Span = readonly [start: number, end: number];

/** Checks that exactly the clicks of a part are heard, each within one MP3 frame of its place. */
export function checkClicks(clicks: readonly Click[], [start, end]: Span): void {
  const seconds = Array.from({ length: CLICKS_SECONDS }, (_, second) => second);
  // One at the border may be cut by less than a frame.
  const certain = seconds.filter((second) => second >= start + 0.03 && second + CLICK.seconds <= end - 0.03);
  const heard = clicks.map(({ second }) => second).filter((second) => certain.includes(second));
  expect(heard).toEqual(certain);
  expect(clicks.length - heard.length).toBeLessThanOrEqual(2);
  for (const { second, atSeconds } of clicks)
    expect(Math.abs(atSeconds - (second - start))).toBeLessThanOrEqual(MP3_FRAME_SECONDS + 0.001);
}

/** Checks that the picture of a part begins and ends with the right frames, and has all between them. */
export function checkFrames(shown: readonly number[], [start, end]: Span): void {
  // The first frame is shown twice where the part begins between two frames.
  const frames = [...new Set(shown)];
  const [first = NaN] = frames;
  expect(frames).toEqual(frames.map((_, index) => first + index));
  expect(Math.abs(first - start * CLICKS_FPS)).toBeLessThanOrEqual(1);
  expect(Math.abs((frames.at(-1) ?? NaN) + 1 - end * CLICKS_FPS)).toBeLessThanOrEqual(1);
}
