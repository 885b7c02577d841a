/** Installs a release of yt-dlp into a virtual environment of its own: first as a draft, then under its final name. */
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "../../common/parse-json.ts";
import type { Environment, ExtractorFolder } from "./extractor-folder.ts";
import { versionInEnvironment } from "./installed-version.ts";
import { lockedArgs, packageName } from "./locked-packages.ts";
import { compareVersions, pipRequirement, type PackageSet, type Release } from "./releases.ts";
import { InstallError, type InstallerOptions, runPip, runPython } from "./run-installer.ts";

/** The kernel reads no more of a script's first line (BINPRM_BUF_SIZE was 128 before Linux 5.1). */
const MAX_SHEBANG_BYTES = 127;

/** Succeeds if the Python has a pip that tells what it would install (22.3 or newer). */
const HAS_PIP = "import pip; assert tuple(int(part) for part in pip.__version__.split('.')[:2]) >= (22, 3)";

/** Newer versions of pip write the first form, older ones the second. */
const Sha256 = z.union([
  z.object({ hashes: z.object({ sha256: z.string() }) }).transform(({ hashes }) => hashes.sha256),
  z.object({ hash: z.templateLiteral(["sha256=", z.string()]) }).transform(({ hash }) => hash.slice("sha256=".length)),
]);
const Resolved = z.object({
  install: z.array(
    z.object({
      metadata: z.object({ name: z.string(), version: z.string() }),
      download_info: z.object({ archive_info: Sha256 }),
    }),
  ),
});

interface InstallationOptions extends InstallerOptions {
  readonly folder: ExtractorFolder;
}

/** One try to get a release onto this machine. Disposing of it removes what is not finished. */
export interface ReleaseDraft extends AsyncDisposable {
  /**
   * @returns the yt-dlp that the index offers, with all that it needs
   * @throws InstallError
   */
  resolve(release: Release): Promise<PackageSet>;
  /**
   * @returns the newest version of the index, whatever Python and packages it needs
   * @throws InstallError
   */
  newest(release: Release): Promise<string>;
  /**
   * Makes an environment of the folder.
   * @param packages as `resolve` returned them, now or at an earlier try
   * @throws InstallError
   */
  install(packages: PackageSet): Promise<Environment>;
}

/** Installs by pip, in the sandbox of tools. Nothing of what it installs runs. */
export class Installation implements ReleaseDraft {
  readonly #options: InstallationOptions;
  readonly #signal: AbortSignal;
  /** The environment before it gets its name. */
  readonly #environment: string;
  /** Python whose pip installs. */
  #python: Promise<readonly string[]> | undefined;

  constructor(options: InstallationOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#environment = path.join(options.folder.draft, "environment");
  }

  async resolve(release: Release): Promise<PackageSet> {
    return await this.#ask(pipRequirement(release));
  }

  async newest(release: Release): Promise<string> {
    return (await this.#ask(["--no-deps", "--ignore-requires-python", ...pipRequirement(release)])).version;
  }

  /** @returns what pip would install */
  async #ask(args: readonly string[]): Promise<PackageSet> {
    const report = await this.#pip(["--dry-run", "--report=-", ...args]);
    const { data } = Resolved.safeParse(parseJson(report));
    const packages = data?.install.map(({ metadata: { name, version }, download_info }) => ({
      name: packageName(name),
      version,
      sha256: download_info.archive_info,
    }));
    const found = packages?.find(({ name }) => name === "yt-dlp");
    if (!packages || !found) throw new InstallError("pip does not say which yt-dlp it would install");
    return { version: found.version, packages };
  }

  /** Installs the packages and gives the environment its name. The version is read from a name, not by running it. */
  async install({ version, packages }: PackageSet): Promise<Environment> {
    const { folder } = this.#options;
    const lock = path.join(folder.draft, "packages.lock");
    const lines = packages.map(({ name, version: pinned, sha256 }) => `${name}==${pinned} --hash=sha256:${sha256}\n`);
    await this.#onDisk(() => mkdir(folder.draft, { recursive: true }));
    await this.#onDisk(() => writeFile(lock, lines.join("")));
    await this.#pip(["--no-deps", ...lockedArgs(lock)]);
    const program = path.join(this.#environment, "bin", "yt-dlp");
    const environment: Environment = { version, name: `${version}-${Date.now().toString(36)}` };
    const python = path.join(folder.folderOf(environment), "bin", "python");
    await this.#onDisk(() => writeProgram(program, python));
    const installed = await versionInEnvironment(program);
    if (installed === undefined || compareVersions(installed, version) !== 0)
      throw new InstallError(`pip installed yt-dlp ${installed} instead of ${version}`);
    await this.#onDisk(() => folder.place(this.#environment, environment));
    return environment;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#options.folder.draft, { recursive: true, force: true });
  }

  /**
   * Makes an empty environment. A pip of its own would take most of the time of a try (3.8 CPU seconds), so that of the
   * given Python is used where it is there.
   * @returns the Python whose pip installs
   */
  async #makeEnvironment(): Promise<readonly string[]> {
    const { python, folder } = this.#options;
    await this.#onDisk(() => mkdir(folder.draft, { recursive: true }));
    await this.#run(python, ["-m", "venv", "--without-pip", this.#environment]);
    try {
      await this.#run(python, ["-c", HAS_PIP]);
      return python;
    } catch (error) {
      if (!(error instanceof InstallError)) throw error;
      const own = [path.join(this.#environment, "bin", "python")];
      await this.#run(own, ["-m", "ensurepip"]);
      return own;
    }
  }

  /** All that a wheel has lies in the folder of packages then: it cannot replace the environment's Python. */
  async #target(): Promise<string> {
    const lib = path.join(this.#environment, "lib");
    const python = (await readdir(lib)).find((name) => name.startsWith("python")) ?? "";
    return path.join(lib, python, "site-packages");
  }

  async #pip(args: readonly string[]): Promise<string> {
    this.#python ??= this.#makeEnvironment();
    const step = this.#step(await this.#python);
    return runPip(step, ["--only-binary=:all:", `--target=${await this.#target()}`, ...args]);
  }

  #run(python: readonly string[], args: readonly string[]): Promise<string> {
    return runPython(this.#step(python), args);
  }

  #step(python: readonly string[]) {
    return { options: this.#options, python, folder: this.#options.folder.draft, signal: this.#signal };
  }

  async #onDisk(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new InstallError(error instanceof Error ? error.message : String(error), { cause: error });
    }
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
