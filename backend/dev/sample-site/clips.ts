/**
 * The sample clips on disk: made once, whole or not at all, and found again by the hash of their recipes.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { CLIP_RECIPES, type ClipRecipe } from "./clip-recipes.ts";

const run = promisify(execFile);

export interface PrepareClipsOptions {
  readonly dataDir: string;
  /** Started only when clips have to be made. */
  readonly ffmpegPath: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Two encoders keep a machine of two cores busy; more would only take memory. */
const ENCODERS = 2;

/**
 * Makes the clips unless they are there, and returns their folder. A start that was killed half-way
 * leaves only a folder under another name, which the next one removes.
 *
 * @throws Error with ffmpeg's last words when a clip cannot be made; the signal's reason when aborted.
 */
export async function prepareClips({ dataDir, ffmpegPath, report, signal }: PrepareClipsOptions): Promise<string> {
  const home = path.join(dataDir, "sample-site");
  const version = createHash("sha256").update(JSON.stringify(CLIP_RECIPES)).digest("hex").slice(0, 12);
  const folder = path.join(home, `clips-${version}`);
  if (await isFolder(folder)) return folder;

  const startedMs = Date.now();
  report("Making the sample clips, once");
  await mkdir(home, { recursive: true });
  await removeLeftovers(home);
  const unfinished = path.join(home, `making-${version}-${process.pid}`);
  await rm(unfinished, { recursive: true, force: true });
  try {
    await makeAll(unfinished, ffmpegPath, signal);
    await moveInto(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  report(`Sample clips ready after ${((Date.now() - startedMs) / 1_000).toFixed(1)} s`);
  return folder;
}

async function makeAll(target: string, ffmpegPath: string, signal: AbortSignal | undefined): Promise<void> {
  const stopped = new AbortController();
  const either = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const waiting = [...CLIP_RECIPES];
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
  for (const step of recipe.steps)
    await run(ffmpegPath, ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", ...step], { cwd, signal });
}

async function isFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return found?.isDirectory() ?? false;
}

/** Another process may have finished first; its clips are as good. */
async function moveInto(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

/** Clips of other versions, and what starts that no longer run left half made. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const maker = /^making-[0-9a-f]+-(\d+)$/.exec(name)?.[1];
    if (maker === undefined ? name.startsWith("clips-") : !isRunning(Number(maker)))
      await rm(path.join(home, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
