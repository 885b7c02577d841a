/** Reads from the source of a yt-dlp what its extractors give and need, and how many of them. */
import path from "node:path";
import { z } from "zod";
import { readSource } from "../youtube-reasons/read-source.ts";

const PROGRAM = path.join(import.meta.dirname, "count_kinds.py");

const ExtractorKinds = z.object({
  version: z.string(),
  extractors: z.int().min(1),
  kinds: z.array(z.tuple([z.enum(["result", "protocol", "needs", "state"]), z.string(), z.int()])),
});
export type ExtractorKinds = z.infer<typeof ExtractorKinds>;

/** Parameters as of {@link readSource}. */
export async function countKinds(ytDlpPath: string, folder?: string): Promise<ExtractorKinds> {
  return ExtractorKinds.parse(await readSource(PROGRAM, ytDlpPath, folder));
}

/** @returns a line for each kind, with its share of all extractors */
export function kindTable({ version, extractors, kinds }: ExtractorKinds): string {
  const lines = kinds.map(([group, kind, count]) => {
    const percent = ((100 * count) / extractors).toFixed(1);
    return `${group.padEnd(10)}${kind.padEnd(28)}${String(count).padStart(5)}${percent.padStart(7)} %`;
  });
  return [`yt-dlp ${version}: ${extractors} extractors`, ...lines, ""].join("\n");
}
