/** yt-dlp kept loaded for the conversions of a test file, each of which would otherwise start it anew. */
import { inject } from "vitest";
import { startExtractorHost, type ExtractorHost } from "../../pipeline/extractor-host/extractor-host.ts";
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
