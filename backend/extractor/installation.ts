/** Installs a release of yt-dlp into a virtual environment of its own: first as a draft, then under its final name. */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ConversionError } from "../../common/errors.ts";
import { runBoundedTool } from "../pipeline/process/tool-process.ts";
import type { Environment, ExtractorFolder } from "./extractor-folder.ts";
import { compareVersions, pipRequirement, type Release } from "./releases.ts";

const MB = 1_000_000;
/** pip resolves in seconds; the rest is for slow networks. */
const LIMITS = { timeoutMs: 15 * 60_000, killGraceMs: 2_000, maxMemoryBytes: 1_500 * MB, maxOutputBytes: 16 * MB };
/** The kernel reads no more of a script's first line (BINPRM_BUF_SIZE was 128 before Linux 5.1). */
const MAX_SHEBANG_BYTES = 127;
/** Conversions get the processor first. */
const POLITE = ["nice", "-n", "10"];

/** Succeeds if the Python has a pip that installs into another environment (22.3 or newer). */
const HAS_PIP = "import pip; assert tuple(int(part) for part in pip.__version__.split('.')[:2]) >= (22, 3)";

const Resolved = z.object({
  install: z.array(z.object({ metadata: z.object({ name: z.string(), version: z.string() }) })),
});

/** A release could not be installed: no network, a full disk, no Python. The next try may succeed. */
export class InstallError extends Error {}

export interface InstallerOptions {
  /** Program and arguments of the Python that makes the environment. */
  readonly python: readonly string[];
  /** Further arguments of pip. */
  readonly pipArgs?: readonly string[];
  /** Environment variables of pip: index, proxy, certificates. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Command in front of each command. */
  readonly prefix?: readonly string[];
}

interface InstallationOptions extends InstallerOptions {
  readonly folder: ExtractorFolder;
}

/** One try to get a release onto this machine. Disposing of it removes what is not finished. */
export interface ReleaseDraft extends AsyncDisposable {
  /**
   * @returns version of the yt-dlp that `install` would bring
   * @throws InstallError
   */
  resolve(release: Release): Promise<string>;
  /**
   * Makes an environment of the folder.
   * @param version as `resolve` returned it
   * @throws InstallError
   */
  install(release: Release, version: string): Promise<Environment>;
}

/** Installs by pip. */
export class Installation implements ReleaseDraft {
  readonly #options: InstallationOptions;
  readonly #signal: AbortSignal;
  /** The environment before it gets its name. */
  readonly #environment: string;
  /** Home and temporary folder of pip. */
  readonly #workFolder: string;
  /** Command that runs pip for the environment. */
  #pipCommand: readonly string[] = [];

  constructor(options: InstallationOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#environment = path.join(options.folder.draft, "environment");
    this.#workFolder = path.join(options.folder.draft, "work");
  }

  /** Makes an empty environment and asks pip what it would install. */
  async resolve(release: Release): Promise<string> {
    await this.#onDisk(() => mkdir(this.#workFolder, { recursive: true }));
    this.#pipCommand = await this.#makeEnvironment();
    const report = await this.#pip(["--dry-run", "--report=-", ...pipRequirement(release)]);
    const { data } = Resolved.safeParse(parseJson(report));
    const found = data?.install.find(({ metadata }) => metadata.name.toLowerCase().replace("_", "-") === "yt-dlp");
    if (!found) throw new InstallError("pip does not say which yt-dlp it would install");
    return found.metadata.version;
  }

  /** Installs the release and gives the environment its name. */
  async install(release: Release, version: string): Promise<Environment> {
    await this.#pip(pipRequirement({ ...release, kind: "pinned", version }));
    const environment: Environment = { version, name: `${version}-${Date.now().toString(36)}` };
    const python = path.join(this.#options.folder.folderOf(environment), "bin", "python");
    await this.#onDisk(() => writeProgram(path.join(this.#environment, "bin", "yt-dlp"), python));
    await this.#onDisk(() => this.#options.folder.place(this.#environment, environment));
    const printed = await this.#run([this.#options.folder.programOf(environment), "--ignore-config", "--version"]);
    if (compareVersions(printed.trim(), version) !== 0)
      throw new InstallError(`pip installed yt-dlp ${printed.trim().slice(0, 50)} instead of ${version}`);
    return environment;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#options.folder.draft, { recursive: true, force: true });
  }

  /**
   * A pip of its own would take most of the time of a try (3.8 CPU seconds), so that of the given Python is used where
   * it is there.
   * @returns the command that runs pip
   */
  async #makeEnvironment(): Promise<readonly string[]> {
    const { python } = this.#options;
    const ownPython = path.join(this.#environment, "bin", "python");
    await this.#run([...python, "-m", "venv", "--without-pip", this.#environment]);
    try {
      await this.#run([...python, "-c", HAS_PIP]);
      return [...python, "-m", "pip", "--python", ownPython];
    } catch (error) {
      if (!(error instanceof InstallError)) throw error;
      await this.#run([ownPython, "-m", "ensurepip"]);
      return [ownPython, "-m", "pip"];
    }
  }

  #pip(args: readonly string[]): Promise<string> {
    const { pipArgs = [] } = this.#options;
    const options = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries=2"];
    return this.#run([...this.#pipCommand, "install", ...options, ...pipArgs, ...args]);
  }

  #run(command: readonly string[]): Promise<string> {
    return runInstaller(this.#options, command, this.#workFolder, this.#signal);
  }

  async #onDisk(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new InstallError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }
}

/**
 * Runs Python or pip.
 * @param folder home and temporary folder of the command
 * @returns standard output
 * @throws InstallError, `signal.reason` when aborted
 */
export async function runInstaller(
  { prefix = POLITE, environment }: InstallerOptions,
  command: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const [program = "", ...args] = [...prefix, ...command];
  try {
    const outcome = await runBoundedTool({ ...LIMITS, path: program, args, folder, environment }, signal);
    if (outcome.ending === "exit" && outcome.exitCode === 0) return outcome.output;
    throw new InstallError(describeFailure(outcome.ending, `${outcome.stderrTail}\n${outcome.output}`));
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new InstallError(`${program} does not start`, { cause: error });
  }
}

/** pip writes the draft's path into its own script, and that path is gone after the rename. */
async function writeProgram(file: string, python: string): Promise<void> {
  const isShebang = !python.includes(" ") && Buffer.byteLength(python) + 2 <= MAX_SHEBANG_BYTES;
  // The second form is read by the shell first, and is a text without effect for Python.
  const firstLines = isShebang ? `#!${python}\n` : `#!/bin/sh\n'''exec' "${python}" "$0" "$@"\n' '''\n`;
  await writeFile(file, `${firstLines}import sys\nfrom yt_dlp import main\n\nsys.exit(main())\n`);
  await chmod(file, 0o755);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @returns the error line of pip, or its last line */
function describeFailure(ending: string, output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((text) => /^(?:ERROR|\w*Error)\b/.test(text)) ?? lines.at(-1) ?? "no output";
  return `${ending === "exit" ? "" : `ended by ${ending}: `}${line.trim().slice(0, 300)}`;
}
