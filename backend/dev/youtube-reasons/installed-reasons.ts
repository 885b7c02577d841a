/** Reads from the source of a yt-dlp which reasons it can give. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";
import { REASONS_OF_YT_DLP, type ReasonKind } from "./judged-reasons.ts";

const PROGRAM = path.join(import.meta.dirname, "read_reasons.py");
const Reasons = z.array(z.tuple([z.enum(["error", "warning", "compared"]), z.string()]));
export type InstalledReason = readonly [kind: ReasonKind, text: string];

/**
 * @param ytDlpPath an installed yt-dlp; its Python reads the source, and does not run it
 * @param folder the one that has another `yt_dlp` in it, which is read in place of the installed one
 */
export async function readReasons(ytDlpPath: string, folder?: string): Promise<readonly InstalledReason[]> {
  const [python, ...args] = (await findInterpreter(ytDlpPath))?.python ?? ["python3"];
  const command = [...args, "-I", PROGRAM, ...(folder === undefined ? [] : [folder])];
  const { stdout } = await promisify(execFile)(python ?? "python3", command, { maxBuffer: 10_000_000 });
  return Reasons.parse(JSON.parse(stdout));
}

/** @returns those that stand in no list of the kind */
export function unjudged(reasons: readonly InstalledReason[]): readonly InstalledReason[] {
  return reasons.filter(([kind, text]) => !Object.values(REASONS_OF_YT_DLP[kind]).flat().includes(text));
}
