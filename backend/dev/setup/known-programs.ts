/**
 * Stores the versions of checked programs, so that the next start need not run them.
 * A program whose file has changed is checked again.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const KnownProgram = z.object({ version: z.string(), sizeBytes: z.number(), modifiedMs: z.number() });
const KnownFile = z.record(z.string(), KnownProgram);

export class KnownPrograms {
  readonly #file: string;
  readonly #known: z.infer<typeof KnownFile>;

  constructor(folder: string) {
    this.#file = path.join(folder, "known-programs.json");
    this.#known = readKnown(this.#file);
  }

  /** @returns the stored version; undefined when the program is unknown or its file has changed */
  versionOf(program: string): string | undefined {
    const known = this.#known[program];
    const now = statSync(program, { throwIfNoEntry: false });
    return known && now && now.size === known.sizeBytes && now.mtimeMs === known.modifiedMs ? known.version : undefined;
  }

  /** Stores the version of a program that works. */
  remember(program: string, version: string): void {
    const { size, mtimeMs } = statSync(program);
    // Read again, because another process may have added a program.
    Object.assign(this.#known, readKnown(this.#file), {
      [program]: { version, sizeBytes: size, modifiedMs: mtimeMs },
    });
    const draft = `${this.#file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(this.#known, null, 2)}\n`);
    renameSync(draft, this.#file);
  }
}

/** An unreadable file counts as empty: the programs are then checked again. */
function readKnown(file: string): z.infer<typeof KnownFile> {
  try {
    return KnownFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
