/** yt-dlp kept loaded for the conversions of a test file, each of which would otherwise start it anew. */
import { inject } from "vitest";
import { HOUR_MS } from "../../../common/durations.ts";
import { startExtractorHost, type ExtractorHost } from "../../pipeline/extractor-host/extractor-host.ts";
import { Extractions } from "../../pipeline/probe/extractions.ts";
import { openTestSandbox } from "./test-sandbox.ts";

/**
 * @param folder all folders of conversions are in it
 * @throws Error where it cannot be kept loaded: the tests of this repository need it
 */
export async function startTestExtractor(folder: string): Promise<ExtractorHost> {
  const host = await startExtractorHost(inject("toolPaths").ytDlpPath, folder, undefined, await openTestSandbox());
  if (!host) throw new Error("yt-dlp cannot be kept loaded");
  return host;
}

/** Lets the conversions of a test file read each page once, as those of a server do. */
export function shareExtractions(): Extractions {
  return new Extractions({ keepMs: HOUR_MS, maxKept: 1_000, maxKeptBytes: 1e9 });
}
