/** Programs for tests that are made in the data folder, once for all processes. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { isProgram } from "../../runtime/find-program.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { SetUpError } from "./set-up-error.ts";

export interface SetUpOptions {
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface PrepareOptions extends SetUpOptions {
  readonly dataDir: string;
}

export interface MadeProgram {
  readonly name: string;
  /** Where it is when it is made. */
  readonly program: string;
  /** Only one process at a time works in it. */
  readonly folder: string;
  /** Gets an empty folder for what is not complete yet, from which it renames the result. */
  readonly make: (draft: string) => Promise<void>;
  /** @returns the sentence for people whose machine cannot make it */
  readonly problem: (reason: string) => string;
}

/**
 * Makes a program unless it is there.
 * @returns the path of the program
 * @throws SetUpError when it cannot be made; the signal's reason when aborted
 */
export async function makeProgram(
  { name, program, folder, make, problem }: MadeProgram,
  options: SetUpOptions,
): Promise<string> {
  if (isProgram(program)) return program;
  try {
    await withFolderLock(folder, options, async () => {
      // Another process may have made it while this one waited for the lock.
      if (isProgram(program)) return;
      const draft = path.join(folder, "draft");
      // A killed process leaves one.
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft);
      try {
        await make(draft);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(problem(reason), { cause: error });
  }
  options.report(`${name}: ${program}`);
  return program;
}
