/** What the pipeline is asked for to make a tape: the stored files of its songs. */
import { pipeline as pump } from "node:stream/promises";
import { ConversionError, exactly } from "../../common/errors.ts";
import { isOnTape } from "../../common/lists.ts";
import type { HeldJob, JobWithFile, StoredTape } from "../domain/jobs/job-model.ts";
import { setFields } from "../domain/jobs/set-fields.ts";
import { songsOf } from "../domain/jobs/tapes.ts";
import type { JobDetails } from "../domain/jobs/work.ts";
import type { Song, TapeRequest } from "../pipeline/tape/join-songs.ts";
import { writeNewFile } from "../tool-files/tool-files.ts";
import { SongsNotEnded } from "./conversion-failure.ts";
import type { JobContext } from "./job-context.ts";

export interface AskedTape extends Pick<JobDetails, "subjects" | "songsMissing"> {
  readonly request: Omit<TapeRequest, "limits" | "folder">;
}

/** A song is gone once it has begun to be read: the next attempt goes without it. */
function songOf({ store }: JobContext, { title, fileKey, fileSize, durationSeconds = 0 }: JobWithFile): Song {
  return {
    title,
    sizeBytes: fileSize,
    durationSeconds,
    fetch: async (path, signal) => pump(await store.read(fileKey), writeNewFile(path), { signal }),
  };
}

/**
 * @throws SongsNotEnded
 * @throws ConversionError "unavailable" when no song is there
 */
export async function tapeRequest(
  context: JobContext,
  { title, format, choices, tape }: HeldJob & { readonly tape: StoredTape },
): Promise<AskedTape> {
  if (!isOnTape(format)) throw new TypeError(`a tape of ${format}`);
  const { waitsFor, songs, missing, subjects } = await songsOf(
    context.domain,
    tape,
    async ({ fileKey }) => (await context.store.stat(fileKey)) !== null,
  );
  if (waitsFor > 0) throw new SongsNotEnded("a song was queued again");
  if (songs.length === 0) throw new ConversionError("unavailable", exactly("no_songs"));
  const { title: album = title, artist } = choices?.album ?? {};
  const tags = { title, album, ...setFields({ artist, albumArtist: artist }) };
  return {
    request: { format, tags, songs: songs.map((song) => songOf(context, song)) },
    subjects,
    ...(missing === "" ? {} : { songsMissing: missing }),
  };
}
