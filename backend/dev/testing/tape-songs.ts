/** Songs that are cut out of one sound that goes on, and what a tape of them sounds like. */
import { copyFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Song } from "../../pipeline/tape/join-songs.ts";
import { ffmpeg, lavfi } from "./ffmpeg.ts";

/** No multiple of what a frame of MP3 or AAC has, so that each file is filled up at its end. */
export const SONG_SAMPLES = 50_003;

/** A tone whose loudness and phase tell each moment apart. */
const SOUND = "aevalsrc=0.4*sin(2*PI*441*t)+0.2*sin(2*PI*97.3*t*t):c=stereo";

export interface TestSongs {
  readonly songs: readonly Song[];
  /** Path of the sound before it was cut. */
  readonly wholePath: string;
}

/**
 * @param encoder arguments of ffmpeg
 * @param titles one for each song
 * @param options.cover path of a picture that each song has
 */
export async function cutSongs(
  folder: string,
  ending: string,
  encoder: readonly string[],
  titles: readonly string[],
  { rateHz = 44_100, cover }: { readonly rateHz?: number; readonly cover?: string } = {},
): Promise<TestSongs> {
  const wholePath = join(folder, "whole.wav");
  const wholeSeconds = String((titles.length * SONG_SAMPLES) / rateHz);
  await ffmpeg(...lavfi(`${SOUND}:s=${rateHz}`), "-t", wholeSeconds, "-c:a", "pcm_f32le", wholePath);
  const songs = await Promise.all(
    titles.map(async (title, index): Promise<Song> => {
      const path = join(folder, `cut-${index}.${ending}`);
      const cut = `atrim=start_sample=${index * SONG_SAMPLES}:end_sample=${(index + 1) * SONG_SAMPLES},asetpts=PTS-STARTPTS`;
      const picture = cover === undefined ? [] : ["-i", cover];
      const pictureArgs =
        cover === undefined ? [] : ["-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"];
      await ffmpeg("-i", wholePath, ...picture, ...pictureArgs, "-af", cut, ...encoder, path);
      const { size: sizeBytes } = await stat(path);
      const durationSeconds = SONG_SAMPLES / rateHz;
      return { title, sizeBytes, durationSeconds, fetch: (to) => copyFile(path, to) };
    }),
  );
  return { songs, wholePath };
}

/** @returns the samples of the left channel as a player would play them */
export async function samplesOf(path: string): Promise<Float32Array> {
  const raw = `${path}.raw`;
  await ffmpeg("-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le", raw);
  const { buffer, byteOffset, byteLength } = await readFile(raw);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** @returns the largest error around a moment, as a share of full scale */
export function errorAround(made: Float32Array, wanted: Float32Array, sample: number, reach: number): number {
  let worst = 0;
  for (let at = sample - reach; at < sample + reach; at += 1)
    worst = Math.max(worst, Math.abs((made[at] ?? 0) - (wanted[at] ?? 0)));
  return worst;
}
