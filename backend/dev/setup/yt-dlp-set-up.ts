/** yt-dlp: from `YTDLP_PATH`, from the PATH if recent, or the release of the lock file in a virtual environment. */
import path from "node:path";
import { LOCK_FILE, lockedArgs } from "../../extractor/locked-packages.ts";
import { canInstallPackages, installPackages } from "./debian.ts";
import type { KnownPrograms } from "./known-programs.ts";
import { runTool, ToolFailure } from "./run-tool.ts";
import { findOnPath, isProgram } from "../../runtime/find-program.ts";
import { SetUpError } from "./set-up-error.ts";

/** The first release with `--js-runtimes`, which the main video site needs. */
const OLDEST_USABLE = "2025.11.12";
/**
 * Sites change and old releases stop working. yt-dlp itself warns from this age on; instead of an older one on the PATH
 * that of the lock file is fetched.
 */
const RECENT_DAYS = 90;
const MS_PER_DAY = 86_400_000;
const HOW_TO_FIX = `run \`python3 -m pip install --user ${lockedArgs(LOCK_FILE).join(" ")}\` or set YTDLP_PATH`;

interface YtDlpOptions {
  readonly toolsDir: string;
  readonly ytDlpPath?: string | undefined;
  readonly known: KnownPrograms;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** @returns its path, if a usable one was checked before and need not be run */
export function findKnownYtDlp(options: YtDlpOptions): string | undefined {
  if (options.ytDlpPath !== undefined)
    return options.known.versionOf(options.ytDlpPath) === undefined ? undefined : options.ytDlpPath;
  const onPath = findOnPath("yt-dlp");
  if (onPath !== undefined) {
    const version = options.known.versionOf(onPath);
    if (version === undefined) return undefined;
    if (isRecent(version, Date.now())) return onPath;
  }
  return findKnownEnvironment(options);
}

/**
 * Finds a usable yt-dlp or fetches that of the lock file.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be fetched
 */
export async function prepareYtDlp(options: YtDlpOptions): Promise<string> {
  if (options.ytDlpPath !== undefined) return await checkOperatorsYtDlp(options.ytDlpPath, options);
  const onPath = findOnPath("yt-dlp");
  const onPathVersion = onPath === undefined ? undefined : await versionOf(onPath, options);
  if (onPath !== undefined && onPathVersion !== undefined && isRecent(onPathVersion, Date.now())) return onPath;
  // Run it even when its path is not stored: the folder may have had another name before. pip installs yt-dlp after
  // its dependencies, so a yt-dlp that runs is complete.
  const { program, python } = environmentOf(options.toolsDir);
  if (isProgram(python) && isProgram(program) && (await versionOf(program, options)) !== undefined) return program;
  try {
    return await makeEnvironment(options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof ToolFailure)) throw error;
    if (onPath !== undefined && onPathVersion !== undefined && onPathVersion >= OLDEST_USABLE) {
      options.report(
        `yt-dlp could not be fetched (${error.message}); going on with the old ${onPathVersion}: ${onPath}`,
      );
      return onPath;
    }
    throw new SetUpError(`yt-dlp is missing and could not be fetched (${error.message}): ${HOW_TO_FIX}.`, {
      cause: error,
    });
  }
}

/** @param version a date such as `2026.08.19`; nightly releases add a time */
export function isRecent(version: string, nowMs: number): boolean {
  const [year, month, day] = version.split(".").map(Number);
  const releasedMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1);
  return version >= OLDEST_USABLE && nowMs - releasedMs <= RECENT_DAYS * MS_PER_DAY;
}

async function checkOperatorsYtDlp(program: string, options: YtDlpOptions): Promise<string> {
  if (!isProgram(program))
    throw new SetUpError(`YTDLP_PATH names ${program}, which is not a program; correct or unset it.`);
  if ((await versionOf(program, options)) === undefined)
    throw new SetUpError(`YTDLP_PATH names ${program}, which does not run as yt-dlp; correct or unset it.`);
  return program;
}

/** @returns the version; undefined when the program does not run or does not print a version */
async function versionOf(program: string, { known, report, signal }: YtDlpOptions): Promise<string | undefined> {
  const stored = known.versionOf(program);
  if (stored !== undefined) return stored;
  try {
    const version =
      (await runTool(program, ["--ignore-config", "--version"], { signal })).trim().split("\n").at(-1) ?? "";
    if (!/^\d{4}\.\d{2}\.\d{2}/.test(version)) return undefined;
    known.remember(program, version);
    report(`yt-dlp ${version}: ${program}`);
    return version;
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

function environmentOf(toolsDir: string): { folder: string; program: string; python: string } {
  const folder = path.join(toolsDir, "yt-dlp");
  return { folder, program: path.join(folder, "bin", "yt-dlp"), python: path.join(folder, "bin", "python") };
}

/** Only a complete environment is stored as known; its Python may have been removed later. */
function findKnownEnvironment({ toolsDir, known }: YtDlpOptions): string | undefined {
  const { program, python } = environmentOf(toolsDir);
  return known.versionOf(program) !== undefined && isProgram(python) ? program : undefined;
}

async function makeEnvironment(options: YtDlpOptions): Promise<string> {
  const { toolsDir, report, signal } = options;
  const { folder, program, python } = environmentOf(toolsDir);
  report("Fetching yt-dlp …");
  // --clear removes an incomplete environment of a killed installation.
  const create = async () => await runTool("python3", ["-m", "venv", "--clear", folder], { signal });
  try {
    await create();
  } catch (error) {
    signal?.throwIfAborted();
    // Debian's python3 package does not include the venv module.
    if (!canInstallPackages()) throw error;
    await installPackages(["python3", "python3-venv"], { report, signal });
    await create();
  }
  await runTool(python, ["-m", "pip", "install", "--retries", "2", ...lockedArgs(LOCK_FILE)], { report, signal });
  if ((await versionOf(program, options)) === undefined)
    throw new ToolFailure(program, "was installed but does not run");
  return program;
}
