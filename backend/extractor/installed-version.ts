/** Finds the version of an installed yt-dlp. */
import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { ConversionError } from "../../common/errors.ts";
import { runBoundedTool } from "../pipeline/process/tool-process.ts";

const LIMITS = { timeoutMs: 30_000, killGraceMs: 1_000, maxMemoryBytes: 1_000_000_000 };

/** @returns the version in the name of pip's metadata folder; undefined when yt-dlp is in no virtual environment */
export async function versionInEnvironment(program: string): Promise<string | undefined> {
  try {
    const lib = path.join(path.dirname(await realpath(program)), "..", "lib");
    for (const python of await readdir(lib)) {
      if (!python.startsWith("python")) continue;
      const packages = await readdir(path.join(lib, python, "site-packages"));
      const version = packages.map((name) => /^yt_dlp-(.+)\.dist-info$/.exec(name)?.[1]).find(Boolean);
      if (version !== undefined) return version;
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return undefined;
}

/**
 * @param program absolute path of yt-dlp
 * @param folder working folder of yt-dlp
 * @returns such as `2026.8.19`; undefined when the program does not run as yt-dlp
 */
export async function readInstalledVersion(program: string, folder: string): Promise<string | undefined> {
  const version = await versionInEnvironment(program);
  if (version !== undefined) return version;
  try {
    const args = ["--ignore-config", "--version"];
    const { output } = await runBoundedTool({ ...LIMITS, path: program, args, folder }, new AbortController().signal);
    return /^\d{4}\.\d+\.\d+\S*/.exec(output.trim())?.[0];
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}
