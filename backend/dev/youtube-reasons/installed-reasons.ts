/** Reads from the source of a yt-dlp which reasons it can give. */
import path from "node:path";
import { z } from "zod";
import { REASONS_OF_YT_DLP, type ReasonKind } from "./judged-reasons.ts";
import { readSource } from "./read-source.ts";

const PROGRAM = path.join(import.meta.dirname, "read_reasons.py");
const Reasons = z.array(z.tuple([z.enum(["error", "warning", "compared"]), z.string()]));
export type InstalledReason = readonly [kind: ReasonKind, text: string];

/** Parameters as of {@link readSource}. */
export async function readReasons(ytDlpPath: string, folder?: string): Promise<readonly InstalledReason[]> {
  return Reasons.parse(await readSource(PROGRAM, ytDlpPath, folder));
}

/** @returns those that stand in no list of the kind */
export function unjudged(reasons: readonly InstalledReason[]): readonly InstalledReason[] {
  return reasons.filter(([kind, text]) => !Object.values(REASONS_OF_YT_DLP[kind]).flat().includes(text));
}
