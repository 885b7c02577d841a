/** Conversions for tests of a server that are not about converting: no tool is started. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { JobContext } from "../../worker/job-context.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Replaces the pipeline: stores a few bytes and a picture at once. The page "slow" runs until it is aborted, the page
 * "gone" is refused.
 */
export const convertWithoutTools: NonNullable<Runtime["convert"]> = async (
  { url, folder, format },
  listener,
  signal,
) => {
  signal.throwIfAborted();
  const { pathname } = new URL(url);
  if (pathname.endsWith("/gone")) throw new ConversionError("unavailable");
  listener.found({ title: "A video", durationSeconds: 1 });
  const picture = join(folder, "picture.jpg");
  await writeFile(picture, "a picture");
  listener.found({ thumbnailPath: picture });
  listener.progress({ stage: "download", percent: 10 });
  if (pathname.endsWith("/slow")) await untilAborted(signal);
  const path = join(folder, `result.${format}`);
  await writeFile(path, "a file");
  if (format === "original") listener.found({ fileKind: "m4a" });
  return { path, sizeBytes: 6, durationSeconds: 1 };
};

/** For workers of tests that make no tapes. */
export const withoutTapes: JobContext["joinSongs"] = () => Promise.reject(new Error("no tape was expected"));
