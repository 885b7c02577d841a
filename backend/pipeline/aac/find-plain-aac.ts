/** Finds AAC sound that can be taken out of its container without a tool. */
import { findMp4Aac } from "./mp4-aac.ts";
import type { PlainAac } from "./plain-aac.ts";
import type { SourceBytes } from "./source-bytes.ts";
import { findTsAac } from "./ts-aac.ts";

/** @returns undefined for other sound and for unusual files, which ffmpeg has to read */
export async function findPlainAac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  return (await findMp4Aac(bytes)) ?? (await findTsAac(bytes));
}
