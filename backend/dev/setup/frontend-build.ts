/** Builds the pages when a source file has changed since the last build. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { runTool, ToolFailure } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

const INPUTS = ["frontend", "common", "package-lock.json"];
const NOT_INPUTS = /(^|\/)(dist|dist-extension|e2e|node_modules|\.[^/]*)(\/|$)|\.test\.tsx?$/;
/** File in the built folder with the fingerprint of its sources. */
const STAMP = ".built-from";

export interface FrontendBuildOptions {
  /** The checkout, with `frontend/` and `common/` in it. */
  readonly root: string;
  /** Folder that the pages are served from; a finished build replaces the whole folder. */
  readonly outDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs Vite if a file of the frontend, of `common/` or the lock file differs in path, size or time
 * of change from the last build. When a build fails or is killed, the last one stays.
 * @returns whether it built
 * @throws SetUpError when the build fails; the signal's reason when aborted
 */
export async function buildFrontend(options: FrontendBuildOptions): Promise<boolean> {
  const root = path.resolve(options.root);
  const outDir = path.resolve(options.outDir);
  if (readStamp(outDir) === (await fingerprintInputs(root))) return false;
  const workDir = path.join(root, "node_modules", ".cache", "tapedeck-pages");
  return await withFolderLock(workDir, options, async () => {
    // Computed before the build: a file that changes during it starts another build next time.
    const fingerprint = await fingerprintInputs(root);
    if (readStamp(outDir) === fingerprint) return false;
    options.report("Building the pages …");
    const startedMs = Date.now();
    const draft = path.join(workDir, "draft");
    try {
      // Vite also empties the draft of a killed build.
      await runVite(root, draft, options.signal);
      await writeFile(path.join(draft, STAMP), fingerprint);
      await rm(outDir, { recursive: true, force: true });
      await mkdir(path.dirname(outDir), { recursive: true });
      await rename(draft, outDir);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    options.report(`Built the pages in ${((Date.now() - startedMs) / 1_000).toFixed(1)} s`);
    return true;
  });
}

/** Runs Vite in its own process, because it changes NODE_ENV and keeps memory that the server needs. */
async function runVite(root: string, outDir: string, signal: AbortSignal | undefined): Promise<void> {
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const args = [vite, "build", path.join(root, "frontend"), "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"];
  try {
    await runTool(process.execPath, args, { cwd: root, env: { ...process.env, NODE_ENV: "production" }, signal });
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    throw new SetUpError(
      `The pages could not be built (${error.message}): run \`npx vite build frontend\` to see why.`,
      { cause: error },
    );
  }
}

function readStamp(outDir: string): string | undefined {
  try {
    return readFileSync(path.join(outDir, STAMP), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function fingerprintInputs(root: string): Promise<string> {
  const lines = await Promise.all(INPUTS.map(async (input) => await describe(root, input)));
  return createHash("sha256").update(lines.flat().sort().join("\n")).digest("hex");
}

/** @returns one line for each file: path, size, time of change */
async function describe(root: string, relative: string): Promise<string[]> {
  if (NOT_INPUTS.test(relative)) return [];
  const entry = await stat(path.join(root, relative));
  if (!entry.isDirectory()) return [`${relative} ${entry.size} ${entry.mtimeMs}`];
  const names = await readdir(path.join(root, relative));
  const lines = await Promise.all(names.map(async (name) => await describe(root, path.posix.join(relative, name))));
  return lines.flat();
}
