/** Programs for tests that are made in the data folder, once for all processes. */
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
  readonly make: () => Promise<void>;
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
      if (!isProgram(program)) await make();
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(problem(reason), { cause: error });
  }
  options.report(`${name}: ${program}`);
  return program;
}
