/** The image's builds of LAME and ffmpeg, compiled on this machine as the image's own build does it. */
import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename } from "node:fs/promises";
import path from "node:path";
import { REPOSITORY_ROOT } from "../repository.ts";
import { makeProgram, type PrepareOptions } from "./made-program.ts";
import { runTool } from "./run-tool.ts";

const SCRIPTS_FOLDER = path.join(REPOSITORY_ROOT, "docker");
const SCRIPTS = ["build-lame.sh", "build-ffmpeg.sh"] as const;
/** It takes four to seven minutes on two cores. */
const BUILD_TIMEOUT_MS = 60 * 60 * 1_000;

/**
 * Finds the image's ffmpeg in the data folder or compiles it, which takes minutes. ffprobe is beside it.
 * @returns the path of ffmpeg
 * @throws SetUpError when it cannot be compiled: the scripts need Debian, and root; the signal's reason when aborted
 */
export async function prepareImageFfmpeg(options: PrepareOptions): Promise<string> {
  // The sandbox shows the libraries of a program by its real path.
  const folder = path.join(await realpath(options.dataDir), "tools", "image-ffmpeg");
  const root = path.join(folder, await versionOfScripts());
  return await makeProgram(
    {
      name: "the image's ffmpeg",
      program: path.join(root, "usr", "local", "bin", "ffmpeg"),
      folder,
      make: (draft) => compile(draft, root, options),
      problem: (reason) => `The image's ffmpeg could not be compiled (${reason}): that needs Debian, as root.`,
    },
    options,
  );
}

async function versionOfScripts(): Promise<string> {
  const version = createHash("sha256");
  for (const script of [...SCRIPTS, "debian-source.sh"])
    version.update(await readFile(path.join(SCRIPTS_FOLDER, script)));
  return version.digest("hex").slice(0, 12);
}

async function compile(draft: string, root: string, { report, signal }: PrepareOptions): Promise<void> {
  report("Compiling the image's LAME and ffmpeg, which takes five minutes …");
  const sources = path.join(draft, "sources");
  const compiled = path.join(draft, "root");
  await mkdir(sources);
  for (const script of SCRIPTS)
    await runTool("sh", [script, compiled], {
      report,
      signal,
      cwd: SCRIPTS_FOLDER,
      env: { ...process.env, TMPDIR: sources, LIBRARIES: path.join(root, "usr", "local", "lib") },
      timeoutMs: BUILD_TIMEOUT_MS,
    });
  await rename(compiled, root);
}
