/** Makes the sample clips once and finds them again by the hash of their recipes. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { withFolderLock } from "../../../runtime/folder-lock.ts";
import { CLIP_RECIPES, SMALL_CLICKS, type ClipRecipe } from "./clip-recipes.ts";

/** Clips that are made together; `name` is their folder below the data folder. */
export interface ClipCollection {
  readonly name: string;
  readonly recipes: readonly ClipRecipe[];
}

const run = promisify(execFile);

export interface PrepareClipsOptions {
  readonly dataDir: string;
  /** Used only when clips have to be made. */
  readonly ffmpegPath: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** The clips of the sample site unless given. */
  readonly collection?: ClipCollection;
}

export const SAMPLE_CLIPS: ClipCollection = { name: "sample-site", recipes: CLIP_RECIPES };

/** Clips that no page has: tests read them from their folder. */
export const SMALL_CLIPS: ClipCollection = { name: "small-clips", recipes: [SMALL_CLICKS] };

/** Encoders at a time: two keep two cores busy, and more would only take memory. */
const ENCODERS = 2;

const FINISHED = "clips-";
const UNFINISHED = "making-";

/**
 * Makes the clips unless their folder exists. Only one process makes clips at a time. A killed process leaves a draft
 * folder, which the next one removes.
 * @returns the folder of the clips
 * @throws Error with ffmpeg's last output when a clip cannot be made; the signal's reason when aborted
 */
export async function prepareClips({
  dataDir,
  ffmpegPath,
  report,
  signal,
  collection = SAMPLE_CLIPS,
}: PrepareClipsOptions): Promise<string> {
  const home = path.join(dataDir, collection.name);
  const version = createHash("sha256").update(JSON.stringify(collection.recipes)).digest("hex").slice(0, 12);
  const folder = path.join(home, `${FINISHED}${version}`);
  if (await isFolder(folder)) return folder;

  await withFolderLock(home, { report, signal }, async () => {
    if (await isFolder(folder)) return;
    const startedMs = performance.now();
    report(`Making the clips of ${collection.name}, once`);
    await removeLeftovers(home);
    const unfinished = path.join(home, `${UNFINISHED}${version}`);
    try {
      await makeAll(collection.recipes, unfinished, ffmpegPath, signal);
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
    report(`Clips ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  });
  return folder;
}

async function makeAll(
  recipes: readonly ClipRecipe[],
  target: string,
  ffmpegPath: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stopped = new AbortController();
  const either = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const waiting = [...recipes];
  const encoder = async (): Promise<void> => {
    for (let recipe = waiting.shift(); recipe; recipe = waiting.shift()) await make(recipe, target, ffmpegPath, either);
  };
  const encoders = Array.from({ length: ENCODERS }, encoder);
  try {
    await Promise.all(encoders);
  } catch (error) {
    stopped.abort();
    await Promise.allSettled(encoders);
    signal?.throwIfAborted();
    throw error;
  }
}

async function make(recipe: ClipRecipe, target: string, ffmpegPath: string, signal: AbortSignal): Promise<void> {
  const cwd = path.join(target, recipe.folder);
  await mkdir(cwd, { recursive: true });
  for (const step of recipe.steps) {
    const running = run(ffmpegPath, ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", ...step], { cwd, signal });
    try {
      await running;
    } catch (error) {
      // An aborted one may write until it has ended.
      const { child } = running;
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      throw error;
    }
  }
}

async function isFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found?.isDirectory() ?? false;
}

/** Removes clips of other versions and drafts. The caller holds the lock, so no other process uses a draft. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home))
    if (name.startsWith(FINISHED) || name.startsWith(UNFINISHED))
      await rm(path.join(home, name), { recursive: true, force: true });
}
