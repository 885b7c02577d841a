/**
 * The plugin through which yt-dlp asks a bgutil token provider. It is installed in a folder of its own, so every version
 * of yt-dlp can load it, and in the version that the provider has: the plugin refuses a provider of another major
 * version. Several processes may share the folder: a finished install gets its place by one rename of a link.
 */
import { mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { InstallError, runPip, type InstallerOptions } from "./run-installer.ts";

const PACKAGE = "bgutil-ytdlp-pot-provider";
const METADATA = /^bgutil_ytdlp_pot_provider-([\w.]+)\.dist-info$/;
const VERSION = /^\d+(?:\.\d+){1,3}$/;
const DRAFT = "token-plugin-";
/** pip needs seconds, and has 15 minutes; an older draft belongs to a process that was killed. */
const OLD_DRAFT_MS = 3_600_000;
const REMOVE = { recursive: true, force: true, maxRetries: 3 } as const;

export class TokenPlugin {
  /** For yt-dlp's `--plugin-dirs`; exists once {@link open} has resolved. */
  readonly folder: string;
  readonly #home: string;
  readonly #versions: string;
  readonly #link: string;
  readonly #options: InstallerOptions;

  private constructor(home: string, options: InstallerOptions) {
    this.#home = home;
    this.#options = options;
    this.folder = path.join(home, "plugins");
    this.#versions = path.join(home, "token-plugins");
    this.#link = path.join(this.folder, "token-provider");
  }

  /** @param home such as DATA_DIR/extractor */
  static async open(home: string, options: InstallerOptions): Promise<TokenPlugin> {
    const plugin = new TokenPlugin(home, options);
    await mkdir(plugin.folder, { recursive: true });
    await mkdir(plugin.#versions, { recursive: true });
    await plugin.#removeOldDrafts();
    return plugin;
  }

  /** @returns the installed version; undefined when there is none */
  async version(): Promise<string | undefined> {
    try {
      return path.basename(await readlink(this.#link));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * Installs a version, unless it is installed already.
   * @param wanted as the provider says it; undefined for the newest if there is none yet
   * @returns the version that is installed now
   * @throws InstallError when pip has no such version, or no network
   */
  async install(wanted: string | undefined, signal: AbortSignal): Promise<string> {
    if (wanted !== undefined && !VERSION.test(wanted)) throw new InstallError("the provider does not say its version");
    const installed = await this.version();
    if (installed !== undefined && (wanted === undefined || wanted === installed)) return installed;
    const draft = await mkdtemp(path.join(this.#home, DRAFT));
    try {
      return await this.#installIn(draft, wanted, signal);
    } finally {
      await rm(draft, REMOVE);
    }
  }

  async #removeOldDrafts(): Promise<void> {
    const names = (await readdir(this.#home)).filter((name) => name.startsWith(DRAFT));
    for (const draft of names.map((name) => path.join(this.#home, name))) {
      // Another process may have removed it.
      const changedMs = await stat(draft).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      );
      if (changedMs < Date.now() - OLD_DRAFT_MS) await rm(draft, REMOVE);
    }
  }

  async #installIn(draft: string, wanted: string | undefined, signal: AbortSignal): Promise<string> {
    const target = path.join(draft, "plugin");
    const requirement = wanted === undefined ? PACKAGE : `${PACKAGE}==${wanted}`;
    // It has no dependencies; a source package could run code while it is built.
    const pip = ["--no-deps", "--only-binary=:all:", `--target=${target}`, requirement];
    await runPip({ options: this.#options, python: this.#options.python, folder: draft, signal }, pip);
    const version = (await readdir(target))
      .map((name) => METADATA.exec(name)?.[1])
      .find((found) => found !== undefined);
    if (version === undefined) throw new InstallError(`pip did not install ${PACKAGE}`);
    const previous = await this.version();
    await this.#place(target, version, path.join(draft, "link"));
    for (const old of await readdir(this.#versions))
      if (old !== version && old !== previous) await rm(path.join(this.#versions, old), REMOVE);
    return version;
  }

  async #place(target: string, version: string, link: string): Promise<void> {
    try {
      await rename(target, path.join(this.#versions, version));
    } catch (error) {
      // Another process has just installed the same version, or an install before this one was killed here.
      if (!(error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST")))
        throw error;
    }
    await symlink(path.join("..", path.basename(this.#versions), version), link);
    await rename(link, this.#link);
  }
}
