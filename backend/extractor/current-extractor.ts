/**
 * The yt-dlp that extractions use now. Before each extraction it looks at the pointer of the extractor folder, which
 * this or another process replaces. A new version is loaded first; until then, extractions use the old one. The host of
 * the old one stops when its last extraction has ended.
 */
import { startExtractorHost } from "../pipeline/extractor-host/extractor-host.ts";
import type { ExtractorLease, ExtractorSource, InstalledExtractor } from "../pipeline/probe/extractor-source.ts";
import type { ToolSandbox } from "../pipeline/process/tool-sandbox.ts";
import { boundPlayerFolder, markPlayerFolder, openPlayerFolder } from "../pipeline/probe/player-folder.ts";
import type { Environment, ExtractorFolder, Pointer } from "./extractor-folder.ts";
import { FailureShare } from "./failure-share.ts";
import { readInstalledVersion } from "./installed-version.ts";
import { compareVersions } from "./releases.ts";

export interface CurrentExtractorOptions {
  /** The yt-dlp that the server was installed with. */
  readonly firstPath: string;
  readonly dataDir: string;
  /** PEM file of a further certificate authority that yt-dlp trusts. */
  readonly caFile?: string | undefined;
  /** Absent: yt-dlp may do what this process may. */
  readonly sandbox?: ToolSandbox | undefined;
  /** Null: the first one is used for ever. */
  readonly folder: ExtractorFolder | null;
  /** The first one is not used in place of an older one of the folder. */
  readonly isPinned: boolean;
  readonly log: { info(line: string): void; warn(line: string): void };
}

/** Folders of player scripts are kept for a day after their last mark. */
const MARK_MS = 3_600_000;

class Loaded {
  readonly environment: Environment | null;
  readonly version: string | undefined;
  readonly extractor: InstalledExtractor;
  readonly failures = new FailureShare();
  /** Share of failures of the version before; undefined when there is none to go back to. */
  readonly shareBefore: number | undefined;
  readonly #idle = Promise.withResolvers<void>();
  #leases = 0;
  #isRetired = false;
  #markedMs = Date.now();

  constructor(
    environment: Environment | null,
    version: string | undefined,
    extractor: InstalledExtractor,
    shareBefore: number | undefined,
  ) {
    this.environment = environment;
    this.version = version;
    this.extractor = extractor;
    this.shareBefore = shareBefore;
  }

  acquire(): void {
    this.#leases += 1;
  }

  /** Keeps the folder of player scripts from being removed by a process with another version. */
  async markUse(): Promise<void> {
    const { playerFolder } = this.extractor;
    if (playerFolder === undefined || Date.now() - this.#markedMs < MARK_MS) return;
    this.#markedMs = Date.now();
    await markPlayerFolder(playerFolder);
  }

  /** An extraction has ended, which may have kept a further player script. */
  async release(): Promise<void> {
    this.#leases -= 1;
    this.#settle();
    const { playerFolder } = this.extractor;
    if (playerFolder !== undefined) await boundPlayerFolder(playerFolder);
  }

  /** Stops the host when the last extraction has ended. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.#settle();
    await this.#idle.promise;
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.extractor.host?.[Symbol.asyncDispose]();
  }

  #settle(): void {
    if (this.#isRetired && this.#leases === 0) this.#idle.resolve();
  }
}

export class CurrentExtractor implements ExtractorSource, AsyncDisposable {
  readonly #options: CurrentExtractorOptions;
  readonly #firstVersion: string | undefined;
  #loaded: Loaded;
  /** Old versions whose extractions still run. */
  readonly #retired = new Set<Loaded>();
  /** Stamp of the pointer that was read last. */
  #stamp: string;
  #refreshing: Promise<void> | undefined;
  #releasing: Promise<void> = Promise.resolve();
  #isStopped = false;
  lookForNewer: (() => void) | undefined;
  /** Called after each failure of a version that fails more often than the one before. */
  onWorse: (environment: Environment, reason: string) => void = () => undefined;
  /** Called after each failure while most links fail. */
  onBad: () => void = () => undefined;
  /** Called when extractions use another version from now on. */
  onSwapped: () => void = () => undefined;

  private constructor(
    options: CurrentExtractorOptions,
    firstVersion: string | undefined,
    loaded: Loaded,
    stamp: string,
  ) {
    this.#options = options;
    this.#firstVersion = firstVersion;
    this.#loaded = loaded;
    this.#stamp = stamp;
  }

  /** Loads the version that the pointer names, or the first one when that does not run. */
  static async open(options: CurrentExtractorOptions): Promise<CurrentExtractor> {
    const { folder } = options;
    const stamp = (await folder?.pointerStamp()) ?? "";
    const firstVersion = await readInstalledVersion(options.firstPath, options.dataDir);
    const pointer = await folder?.readPointer();
    const loaded =
      (pointer && (await loadCurrent(options, firstVersion, pointer))) ?? (await loadFirst(options, firstVersion));
    return new CurrentExtractor(options, firstVersion, loaded, stamp);
  }

  get version(): string | undefined {
    return this.#loaded.version;
  }

  /** Null for the first one. */
  get environment(): Environment | null {
    return this.#loaded.environment;
  }

  /** Share of recent links that this version failed to read, 0 to 1. */
  get failureShare(): number {
    return this.#loaded.failures.share;
  }

  /** Whether most links fail for a reason of yt-dlp. */
  get isFailing(): boolean {
    return this.#loaded.failures.isBad;
  }

  get isLoaded(): boolean {
    return this.#loaded.extractor.host !== undefined;
  }

  async acquire(): Promise<ExtractorLease> {
    const { folder, log } = this.#options;
    if (folder && (await folder.pointerStamp()) !== this.#stamp)
      this.refresh().catch((error: unknown) => log.warn(`the present yt-dlp could not be changed: ${String(error)}`));
    const loaded = this.#loaded;
    loaded.acquire();
    loaded.markUse().catch((error: unknown) => log.warn(`prepared player scripts may be removed: ${String(error)}`));
    const release = (): void => {
      const released = loaded
        .release()
        .catch((error: unknown) => log.warn(`old player scripts could not be removed: ${String(error)}`));
      // Without the results, which would hold those of all releases before.
      this.#releasing = Promise.all([this.#releasing, released]).then(() => undefined);
    };
    return {
      extractor: loaded.extractor,
      report: (link, outcome) => this.#report(loaded, link, outcome),
      [Symbol.dispose]: release,
    };
  }

  /** Loads what the pointer names now. Extractions that begin after it use that version. */
  async refresh(): Promise<void> {
    // One that runs may have read the pointer too early.
    await this.#refreshing?.catch(() => undefined);
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#refreshing?.catch(() => undefined);
    await Promise.all([this.#loaded, ...this.#retired].map((loaded) => loaded.stop()));
    await this.#releasing;
  }

  async #load(): Promise<void> {
    const { folder } = this.#options;
    if (!folder || this.#isStopped) return;
    this.#stamp = await folder.pointerStamp();
    const pointer = await folder.readPointer();
    if (pointer.present?.name === this.#loaded.environment?.name) return;
    const old = this.#loaded;
    let next = await loadCurrent(this.#options, this.#firstVersion, pointer);
    if (!next && old.environment === null) return;
    next ??= await loadFirst(this.#options, this.#firstVersion);
    this.#loaded = next;
    this.#retired.add(old);
    void old.retire().then(() => this.#retired.delete(old));
    this.onSwapped();
    this.#options.log.info(
      `yt-dlp ${next.version ?? "of unknown version"} is used from now on: ${next.extractor.ytDlpPath}`,
    );
  }

  #report(loaded: Loaded, link: string, outcome: "worked" | "failed"): void {
    loaded.failures.add(link, outcome);
    const { environment, shareBefore, failures } = loaded;
    if (outcome === "failed" && loaded === this.#loaded && failures.isBad) this.onBad();
    if (outcome === "worked" || loaded !== this.#loaded || environment === null || shareBefore === undefined) return;
    if (!failures.isWorseThan(shareBefore)) return;
    const percent = (share: number): string => `${Math.round(100 * share)} %`;
    this.onWorse(environment, `${percent(failures.share)} of its links failed, ${percent(shareBefore)} before it`);
  }
}

async function loadFirst(
  { firstPath, dataDir, caFile, sandbox }: CurrentExtractorOptions,
  firstVersion: string | undefined,
): Promise<Loaded> {
  const host = await startExtractorHost(firstPath, dataDir, caFile, sandbox);
  const playerFolder = await openPlayerFolder(dataDir, firstPath);
  return new Loaded(null, firstVersion, { ytDlpPath: firstPath, host, playerFolder }, undefined);
}

/** @returns undefined when the pointer names none, one that does not run, or one that is older than the first */
async function loadCurrent(
  { dataDir, caFile, sandbox, folder, isPinned, log }: CurrentExtractorOptions,
  firstVersion: string | undefined,
  { present, failureShareBefore }: Pointer,
): Promise<Loaded | undefined> {
  if (!folder || !present) return undefined;
  if (!isPinned && firstVersion !== undefined && compareVersions(firstVersion, present.version) > 0) return undefined;
  const ytDlpPath = folder.programOf(present);
  const host = await startExtractorHost(ytDlpPath, dataDir, caFile, sandbox);
  if (!host) {
    log.warn(`yt-dlp ${present.version} in ${folder.folderOf(present)} does not run`);
    return undefined;
  }
  const playerFolder = await openPlayerFolder(dataDir, ytDlpPath);
  return new Loaded(present, present.version, { ytDlpPath, host, playerFolder }, failureShareBefore);
}
