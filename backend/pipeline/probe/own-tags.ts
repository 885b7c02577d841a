/** Reads what a file of ours says of itself: it becomes what a cut of it says. */
import { join } from "node:path";
import { z } from "zod";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Work } from "../pipeline.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import type { Chapter } from "./chapters.ts";
import { INPUT_GUARD, runFfprobe, type MediaFile } from "./media-file.ts";
import type { MediaTags } from "./tags.ts";

const Tags = z
  .record(z.string(), z.string())
  .transform((tags) => Object.fromEntries(Object.entries(tags).map(([name, text]) => [name.toLowerCase(), text])))
  .catch({});

const Probed = z.object({
  format: z.object({ tags: Tags.optional() }).catch({}),
  streams: z
    .array(
      z.object({
        index: z.number().int(),
        codec_type: z.string().catch(""),
        disposition: z.record(z.string(), z.number()).catch({}),
        tags: Tags.optional(),
      }),
    )
    .catch([]),
  chapters: z
    .array(z.object({ start_time: z.coerce.number(), end_time: z.coerce.number(), tags: Tags.optional() }))
    .catch([]),
});

/** Hundreds of chapters and a long description. */
const MAX_OUTPUT_BYTES = 1_000_000;

export interface OwnTags {
  readonly tags: MediaTags & { readonly link?: string };
  /** On the time line of the file. */
  readonly chapters: readonly Chapter[];
  /** Path of the cover, a JPEG. */
  readonly coverPath: string | undefined;
  /** Stream of the first subtitles, with the language as the file has it. */
  readonly subtitles: { readonly index: number; readonly language: string } | undefined;
}

/**
 * @param title of a file that has none
 * @throws ConversionError
 */
export async function readOwnTags(work: Work, { path }: MediaFile, folder: string, title = ""): Promise<OwnTags> {
  const shown = ["-show_format", "-show_streams", "-show_chapters", "-print_format", "json"];
  const outcome = await runFfprobe(work, path, shown, MAX_OUTPUT_BYTES);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  const { format, streams, chapters } = Probed.parse(JSON.parse(outcome.output));
  // Ogg has the tags of the file in its stream.
  const sound = streams.find(({ codec_type: type }) => type === "audio");
  const found = { ...sound?.tags, ...format.tags };
  const count = found["tracktotal"] ?? found["total_parts"];
  const track = found["track"] ?? found["part_number"];
  const cover = streams.find(({ disposition }) => disposition["attached_pic"] === 1);
  const texts = streams.find(({ codec_type: type }) => type === "subtitle");
  return {
    tags: {
      title: found["title"] ?? title,
      artist: found["artist"],
      album: found["album"],
      albumArtist: found["album_artist"],
      track: track !== undefined && count !== undefined && !track.includes("/") ? `${track}/${count}` : track,
      date: found["date"],
      description: found["description"],
      link: found["comment"],
    },
    chapters: chapters.map(({ start_time: startSeconds, end_time: endSeconds, tags }) => ({
      title: tags?.["title"] ?? "",
      startSeconds,
      endSeconds,
    })),
    coverPath: cover && (await copyCover(work, path, cover.index, folder)),
    subtitles: texts && { index: texts.index, language: texts.tags?.["language"] ?? "und" },
  };
}

async function copyCover(work: Work, path: string, index: number, folder: string): Promise<string> {
  const coverPath = join(folder, "cover.jpg");
  const copied = ["-map", `0:${index}`, "-c", "copy", "-frames:v", "1", "-f", "mjpeg", "-y", coverPath];
  await runFfmpeg(work, [...INPUT_GUARD, "-i", `file:${path}`, ...copied], coverPath);
  return coverPath;
}
