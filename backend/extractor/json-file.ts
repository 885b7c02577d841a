/** Small files with JSON that processes share: replaced by a rename, so that a killed process leaves the old content. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { parseJson } from "../../common/parse-json.ts";

/** @returns undefined for a file that is missing or has other content */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(parseJson(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Replaces the file, and makes its folder.
 * @param beforeRename called when the new content is written beside the old one
 */
export async function replaceJson(file: string, content: unknown, beforeRename?: () => Promise<void>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`);
  await beforeRename?.();
  await rename(draft, file);
}

/** Whether a file system call failed because the file is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
