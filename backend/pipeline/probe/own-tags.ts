/** Reads what a file of ours says of itself: it becomes what a cut of it says. */
import { z } from "zod";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Work } from "../pipeline.ts";
import type { Chapter } from "./chapters.ts";
import { runFfprobe, type MediaFile } from "./media-file.ts";
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
  /** Stream of the cover, a JPEG. */
  readonly cover: { readonly index: number } | undefined;
  /** Stream of the first subtitles, with the language as the file has it. */
  readonly subtitles: { readonly index: number; readonly language: string } | undefined;
}

/** @throws ConversionError */
export async function readOwnTags(work: Work, { path }: MediaFile): Promise<OwnTags> {
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
      title: found["title"] ?? "",
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
    cover: cover && { index: cover.index },
    subtitles: texts && { index: texts.index, language: texts.tags?.["language"] ?? "und" },
  };
}
