/**
 * What the renewal keeps in DATA_DIR/extractor: one virtual environment per version of yt-dlp, a file that names the
 * present one, and a file with what was learned about releases. Both files are replaced by a rename, so that a process
 * that is killed or a full disk leaves the old content.
 */
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { HeldBack } from "../../common/operator.ts";
import { isMissing, readJson, replaceJson } from "./json-file.ts";
import { PackageSet, WaitingRelease } from "./releases.ts";

const Environment = z.object({ version: z.string(), name: z.string().regex(/^[\w.-]+$/) });
/** A virtual environment below `environments`. */
export type Environment = z.infer<typeof Environment>;

const Pointer = z.object({
  /** Null: the yt-dlp that the server was installed with. */
  present: Environment.nullable(),
  /** Used again when the present one starts to fail; it stays installed. */
  previous: Environment.nullable(),
  /** Share of extractions that failed in the time before the present one was swapped in, 0 to 1. */
  failureShareBefore: z.number(),
});
export type Pointer = z.infer<typeof Pointer>;
const FIRST: Pointer = { present: null, previous: null, failureShareBefore: 0 };

const Knowledge = z.object({
  /** What the index offered, and when it did so first. */
  seen: z.array(PackageSet.extend({ seenAtMs: z.number() })).default([]),
  /** The newest release that the index offers, while it is not used; null when there is none. */
  waiting: WaitingRelease.nullable().default(null),
  /** When a newer release was looked for last; 0 for never. */
  checkedAtMs: z.number(),
  /** The kind of release that was looked for; undefined before the first time. */
  checkedFor: z.string().optional(),
  /** Releases that failed their canaries, or in use. */
  refused: z.array(z.object({ version: z.string(), reason: z.string(), atMs: z.number() })),
  /** Why yt-dlp does not get newer; null when it does, or is new. */
  heldBack: HeldBack.nullable().default(null),
  /** When the log said so last; 0 for never. */
  heldBackLoggedAtMs: z.number().default(0),
});
export type Knowledge = z.infer<typeof Knowledge>;
const NOTHING: Knowledge = {
  seen: [],
  waiting: null,
  checkedAtMs: 0,
  refused: [],
  heldBack: null,
  heldBackLoggedAtMs: 0,
};
/** A killed pip may write its last files while they are removed. */
const REMOVE = { recursive: true, force: true, maxRetries: 5 };
/** Most refused releases that are kept. */
const KEPT_REFUSALS = 50;

export class ExtractorFolder {
  readonly home: string;
  readonly draft: string;
  readonly #environments: string;
  readonly #pointerFile: string;
  readonly #knowledgeFile: string;

  /** @param home absolute path, such as DATA_DIR/extractor */
  constructor(home: string) {
    this.home = home;
    this.draft = path.join(home, "draft");
    this.#environments = path.join(home, "environments");
    this.#pointerFile = path.join(home, "current.json");
    this.#knowledgeFile = path.join(home, "releases.json");
  }

  folderOf({ name }: Environment): string {
    return path.join(this.#environments, name);
  }

  /** @returns path of yt-dlp in the environment */
  programOf(environment: Environment): string {
    return path.join(this.folderOf(environment), "bin", "yt-dlp");
  }

  /** @returns a text that changes when the pointer is replaced */
  async pointerStamp(): Promise<string> {
    try {
      const { ino, mtimeMs } = await stat(this.#pointerFile);
      return `${ino} ${mtimeMs}`;
    } catch (error) {
      if (isMissing(error)) return "";
      throw error;
    }
  }

  async readPointer(): Promise<Pointer> {
    return (await readJson(this.#pointerFile, Pointer)) ?? FIRST;
  }

  /** @param beforeRename called when the new content is written beside the old one */
  async replacePointer(pointer: Pointer, beforeRename?: () => Promise<void>): Promise<void> {
    await replaceJson(this.#pointerFile, pointer, beforeRename);
  }

  async readKnowledge(): Promise<Knowledge> {
    return (await readJson(this.#knowledgeFile, Knowledge)) ?? NOTHING;
  }

  async changeKnowledge(change: Partial<Knowledge>): Promise<void> {
    await replaceJson(this.#knowledgeFile, { ...(await this.readKnowledge()), ...change });
  }

  /** Stores why a release is not used. */
  async refuse(version: string, reason: string): Promise<void> {
    const { refused } = await this.readKnowledge();
    const others = refused.filter((entry) => entry.version !== version).slice(1 - KEPT_REFUSALS);
    await this.changeKnowledge({ refused: [...others, { version, reason, atMs: Date.now() }] });
  }

  /** Makes a complete draft an environment. */
  async place(draft: string, environment: Environment): Promise<void> {
    await mkdir(this.#environments, { recursive: true });
    await rename(draft, this.folderOf(environment));
  }

  async remove(environment: Environment): Promise<void> {
    await rm(this.folderOf(environment), REMOVE);
  }

  /** Removes what a killed process has left, and environments that are neither present nor previous. */
  async removeLeftovers(): Promise<void> {
    const { present, previous } = await this.readPointer();
    const kept = new Set([present?.name, previous?.name]);
    await rm(this.draft, REMOVE);
    await mkdir(this.#environments, { recursive: true });
    for (const name of await readdir(this.#environments))
      if (!kept.has(name)) await rm(path.join(this.#environments, name), REMOVE);
    for (const name of await readdir(this.home))
      if (name.endsWith(".new")) await rm(path.join(this.home, name), { force: true });
  }
}
