/**
 * Joins songs into one file with a chapter for each. Each is decoded without what its encoder has added before and behind
 * it, and all of them are encoded as one sound: the first sample of a song follows the last one of the song before, as on
 * the album. Frames are not copied even where they could be, because each file begins and ends with such silence.
 */
import { once } from "node:events";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { openFile, removeFile } from "../../tool-files/tool-files.ts";
import { findPlainAac } from "../aac/find-plain-aac.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import type { ConvertedFile, ConvertListener } from "../conversion.ts";
import { channelArgs, silencesFor, type FileTags } from "../encode/encode.ts";
import { id3Tag, overwriteTag } from "../encode/id3-tag.ts";
import { makeSound } from "../encode/make-sound.ts";
import { pictureIn, type Picture } from "../encode/picture.ts";
import { NO_SOUND } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import type { Mp3Plan } from "../plan/encode-plan.ts";
import { checkDuration } from "../plan/plan-bounds.ts";
import { plannedSeconds } from "../plan/planned-times.ts";
import { planSound } from "../plan/sound-plan.ts";
import { chapterTitle, type Chapter } from "../probe/chapters.ts";
import { INPUT_GUARD, inspectMedia, inspectSound, type AudioStream, type MediaFile } from "../probe/media-file.ts";
import { checkFreeSpace } from "../process/free-space.ts";
import { readFfmpeg, runFfmpeg, type Feed } from "../process/ffmpeg.ts";
import { withinBounds } from "../process/within-bounds.ts";
import { ProgressReporter } from "../progress/progress-reporter.ts";
import { verifyResult } from "../verify/verify.ts";
import { drawCard } from "./j-card.ts";
import { checkTape, planTape, tapeBytes, type TapeFormat, type TapePlan } from "./plan-tape.ts";

/** A finished file. */
export interface Song {
  readonly title: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number;
  /** Writes it to a path where there is no file. */
  fetch(path: string, signal: AbortSignal): Promise<void>;
}

export interface TapeRequest {
  readonly format: TapeFormat;
  readonly tags: Pick<FileTags, "title" | "artist" | "album" | "albumArtist">;
  /** In their order; at least one. */
  readonly songs: readonly Song[];
  readonly limits: TierLimits;
  /** An empty folder that only this job uses; the caller creates and removes it. */
  readonly folder: string;
}

export interface TapeWork extends Work {
  readonly log: (line: string) => void;
  readonly request: TapeRequest;
  readonly listener: Pick<ConvertListener, "found" | "progress">;
}

/** A song that is there. */
interface FetchedSong {
  readonly title: string;
  readonly media: MediaFile;
  readonly stream: AudioStream;
  /** Samples at its own rate, where its index states them: ffmpeg would also decode what fills the last frame of AAC. */
  readonly sampleCount: number | undefined;
}

interface TapeSteps extends TapeWork {
  readonly reporter: ProgressReporter;
}

/** Samples are sent to the encoder as fractions, so that none is rounded or cut off. */
const BYTES_PER_SAMPLE = 4;

/**
 * Runs one job. When it settles, none of its processes is left.
 * @returns the verified file in the request's folder
 * @throws ConversionError; `signal.reason` when aborted
 */
export function joinSongs(work: TapeWork): Promise<ConvertedFile> {
  return withinBounds(work, (signal) => makeTape({ ...work, signal }));
}

async function makeTape(work: TapeWork): Promise<ConvertedFile> {
  const { request, listener, pipeline } = work;
  const { format, songs, limits, folder } = request;
  const durationSeconds = sumOf(songs.map((song) => song.durationSeconds));
  checkTape(format, durationSeconds, limits);
  const sourceBytes = sumOf(songs.map((song) => song.sizeBytes));
  // The sound of an M4A is copied behind its chapters when all of it is there.
  const resultBytes = (format === "mp3" ? 1 : 2) * tapeBytes(format, durationSeconds, limits);
  await checkFreeSpace(folder, pipeline.limits.minFreeDiskBytes + sourceBytes + resultBytes);
  // AAC takes about as long as MP3.
  const planned = plannedSeconds("mp3", durationSeconds, sourceBytes);
  const reporter = new ProgressReporter({ planned, listen: (progress) => listener.progress(progress) });
  using stack = new DisposableStack();
  stack.use(reporter.tickRegularly());
  const steps = { ...work, reporter };
  const fetched = await fetchSongs(steps, sourceBytes);
  const picture = await makePictures(steps, fetched);
  if (picture) listener.found({ thumbnailPath: picture.thumbnailPath });
  const plan = planTape(
    format,
    fetched.map(({ media }) => media),
    limits,
  );
  const make = format === "mp3" ? makeMp3 : makeM4a;
  return make(steps, plan, fetched, picture?.coverPath);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

async function fetchSongs(work: TapeSteps, allBytes: number): Promise<readonly [FetchedSong, ...FetchedSong[]]> {
  const { request, reporter, signal } = work;
  const fetched: FetchedSong[] = [];
  let bytes = 0;
  reporter.report("download", 0);
  for (const [index, song] of request.songs.entries()) {
    const path = join(request.folder, `song-${index}`);
    await song.fetch(path, signal);
    fetched.push(await inspectSong(work, song.title, path));
    bytes += song.sizeBytes;
    reporter.report("download", bytes / allBytes);
  }
  const [first, ...others] = fetched;
  if (!first) throw new RangeError("a tape without songs");
  return [first, ...others];
}

async function inspectSong(work: Work, title: string, path: string): Promise<FetchedSong> {
  const media = await inspectMedia(work, path);
  if (!media.audio) throw new ConversionError("unavailable", NO_SOUND);
  await using bytes = await SourceBytes.open(path, work.signal);
  const plain = await findPlainAac(bytes);
  return { title, media, stream: media.audio, sampleCount: plain?.sampleCount };
}

/** @returns a card with the picture of the first song that has one; that picture alone where no card can be drawn */
async function makePictures(work: TapeSteps, songs: readonly FetchedSong[]): Promise<Picture | undefined> {
  const { tags, songs: wanted, folder } = work.request;
  const found = await findPicture(work, songs);
  let durationSeconds = 0;
  const listed = wanted.map((song) => {
    const startSeconds = durationSeconds;
    durationSeconds += song.durationSeconds;
    return { title: chapterTitle(song.title), startSeconds };
  });
  const card = { title: tags.title, artist: tags.artist, songs: listed, durationSeconds };
  return (await drawCard({ ...work, folder }, card, found?.coverPath)) ?? found;
}

async function findPicture({ request, ...work }: TapeSteps, songs: readonly FetchedSong[]) {
  for (const { media } of songs) {
    const picture = media.hasAttachedPicture ? await pictureIn(work, media.path, request.folder) : undefined;
    if (picture) return picture;
  }
  return undefined;
}

/** @returns arguments that decode a song to the samples of the tape */
function decodeArgs({ media, stream, sampleCount }: FetchedSong, plan: TapePlan): readonly string[] {
  const { sampleRateHz, channelCount } = plan;
  const wholeSound = sampleCount === undefined ? [] : [`atrim=end_sample=${sampleCount}`];
  const filters = channelArgs(stream, channelCount, undefined, [
    ...wholeSound,
    ...silencesFor(stream, media.container),
  ]);
  const samples = ["-ar", String(sampleRateHz), "-f", "f32le", "pipe:1"];
  return [...INPUT_GUARD, "-i", `file:${media.path}`, "-map", `0:${stream.index}`, ...filters, ...samples];
}

/** Of the encoder, whose input the songs are. */
function samplesInput({ sampleRateHz, channelCount }: TapePlan): readonly string[] {
  return ["-f", "f32le", "-ar", String(sampleRateHz), "-ac", String(channelCount), "-i", "pipe:0"];
}

/**
 * Encodes the songs, one after the other.
 * @param args of the encoder, behind its input
 * @returns their chapters
 */
async function encodeSongs(
  work: TapeSteps,
  plan: TapePlan,
  songs: readonly FetchedSong[],
  args: readonly string[],
  outputPath: string,
): Promise<readonly Chapter[]> {
  const { pipeline, signal, request, reporter } = work;
  const { songs: wanted, limits } = request;
  const expectedSeconds = sumOf(wanted.map((song) => song.durationSeconds));
  const bytesPerSecond = plan.sampleRateHz * plan.channelCount * BYTES_PER_SAMPLE;
  const chapters: Chapter[] = [];
  let bytes = 0;
  reporter.report("convert", 0);
  const write = async (chunk: Buffer, input: Writable, until: AbortSignal): Promise<void> => {
    bytes += chunk.length;
    const seconds = bytes / bytesPerSecond;
    checkDuration(seconds, limits);
    reporter.report("convert", Math.min(1, seconds / expectedSeconds));
    if (!input.write(chunk)) await once(input, "drain", { signal: until });
  };
  const feed: Feed = async (input) => {
    const closed = new AbortController();
    input.once("close", () => closed.abort());
    const decoding = { pipeline, signal: AbortSignal.any([signal, closed.signal]) };
    try {
      for (const song of songs) {
        const startSeconds = bytes / bytesPerSecond;
        const { path } = song.media;
        await readFfmpeg(decoding, decodeArgs(song, plan), path, (chunk) => write(chunk, input, decoding.signal), []);
        chapters.push({ title: chapterTitle(song.title), startSeconds, endSeconds: bytes / bytesPerSecond });
        await removeFile(path);
      }
      input.end();
    } catch (error) {
      // Where the encoder has ended before, its exit code says why.
      if (!closed.signal.aborted) throw error;
    }
  };
  await runFfmpeg(work, [...samplesInput(plan), ...args, "-y", outputPath], outputPath, () => undefined, [feed]);
  return chapters;
}

async function makeMp3(
  work: TapeSteps,
  plan: TapePlan,
  songs: readonly [FetchedSong, ...FetchedSong[]],
  coverPath: string | undefined,
): Promise<ConvertedFile> {
  const { tags, folder } = work.request;
  const path = join(folder, "result.mp3");
  const tagWith = (chapters: readonly Chapter[]): Promise<Buffer> =>
    id3Tag({ ...tags, chapters, ...(coverPath === undefined ? {} : { coverPath }) });
  // All times take the same room.
  const anyTimes = songs.map(({ title }) => ({ title: chapterTitle(title), startSeconds: 1, endSeconds: 2 }));
  const { length } = await tagWith(anyTimes);
  const sound = ["-c:a", "libmp3lame", "-b:a", `${plan.bitrateKbps}k`, "-map_metadata", "-1"];
  const roomForTag = ["-id3v2_version", "3", "-write_id3v1", "0", "-metadata_header_padding", String(length)];
  const args = [...sound, ...roomForTag, "-f", "mp3"];
  const chapters = await encodeSongs(work, plan, songs, args, path);
  await overwriteTag(path, await tagWith(chapters));
  const { sampleRateHz, channelCount, bitrateKbps } = plan;
  const audio = { source: 0, stream: songs[0].stream };
  const made: Mp3Plan = { format: "mp3", audio, bitrateKbps, channelCount, sampleRateHz, ...lengthOf(chapters) };
  return finish(work, path, made, coverPath);
}

async function makeM4a(
  work: TapeSteps,
  plan: TapePlan,
  songs: readonly FetchedSong[],
  coverPath: string | undefined,
): Promise<ConvertedFile> {
  const { tags, folder, limits } = work.request;
  const soundPath = join(folder, "sound.m4a");
  const path = join(folder, "result.original");
  // In whole milliseconds, as usual, the length would be too short, and the copy would believe it.
  const exactly = ["-movie_timescale", String(plan.sampleRateHz)];
  const args = ["-c:a", "aac", "-b:a", `${plan.bitrateKbps}k`, "-map_metadata", "-1", ...exactly, "-f", "ipod"];
  const chapters = await encodeSongs(work, plan, songs, args, soundPath);
  const sources = [await inspectSound(work, soundPath)];
  const copied = planSound("original", sources, limits);
  const withChapters = { ...tags, chapters };
  const copy = { plan: copied, sources, limits, tags: withChapters, coverPath, outputPath: path };
  await makeSound({ ...work, ...copy, onFraction: () => undefined });
  await removeFile(soundPath);
  work.listener.found({ fileKind: "m4a" });
  return finish(work, path, { ...copied, ...lengthOf(chapters) }, coverPath);
}

function lengthOf(chapters: readonly Chapter[]): { readonly durationSeconds: number } {
  return { durationSeconds: chapters.at(-1)?.endSeconds ?? 0 };
}

async function finish(
  work: TapeSteps,
  path: string,
  plan: Parameters<typeof verifyResult>[2],
  coverPath: string | undefined,
): Promise<ConvertedFile> {
  const { reporter, request, listener } = work;
  reporter.report("store", 0);
  await using file = await openFile(path);
  const [made] = await Promise.all([verifyResult(work, path, plan, request.limits), file.sync()]);
  listener.found({ durationSeconds: made.durationSeconds });
  return { path, ...made, ...(coverPath === undefined ? {} : { coverPath }) };
}
