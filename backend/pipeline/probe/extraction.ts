/** Extracts the metadata and renditions of a link with yt-dlp. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { exitForMedia } from "../exits/exit.ts";
import type { Pipeline } from "../pipeline.ts";
import { openJobFolder } from "../process/job-folder.ts";
import type { VideoInfo } from "./info.ts";
import { publicAddressOf } from "./kept-info.ts";
import { readLink } from "./link-reader.ts";
import { parseInfoFile } from "./parse-aside.ts";
import { originOf } from "./video-origin.ts";

/** A link that is a list is refused, and two entries are enough to recognise one. */
const VIDEO_ONLY = ["--no-playlist", "--playlist-items=1:2"];

/**
 * Reads the metadata and renditions of a link.
 * @param folder working folder of yt-dlp
 * @throws ConversionError of errors/classify.ts, or "blocked"; `signal.reason` when aborted
 */
export async function extract(
  pipeline: Pipeline,
  link: string,
  folder: string,
  signal: AbortSignal,
): Promise<VideoInfo> {
  const request = { link, folder, listArgs: VIDEO_ONLY, parse: parseInfoFile, countsForHealth: true };
  const { result, exit } = await readLink(pipeline, request, signal);
  const info: VideoInfo = { ...result, exit: exit && exitForMedia(exit, publicAddressOf(result)) };
  // Before the metadata is kept for others.
  pipeline.blocks?.requireVideo(link, originOf(info));
  return info;
}

/**
 * Like `extract`, but shares the extraction with other callers of the link where the pipeline allows. The estimate for
 * the page has often just read it, and so has the conversion to another format.
 * @param folder of the caller; the shared extraction gets one beside it
 */
export async function extractShared(
  pipeline: Pipeline,
  link: string,
  folder: string,
  signal: AbortSignal,
): Promise<VideoInfo> {
  const { extractions } = pipeline;
  if (!extractions) return extract(pipeline, link, folder, signal);
  const inOwnFolder = async (shared: AbortSignal): Promise<VideoInfo> => {
    // The work goes on for others when this caller and its folder are gone.
    await using own = await openJobFolder(path.dirname(folder), `extraction-${randomUUID()}`);
    return await extract(pipeline, link, own.path, shared);
  };
  return extractions.share(pipeline, link, inOwnFolder, signal);
}
