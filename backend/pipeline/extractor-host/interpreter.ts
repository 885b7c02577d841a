/** Finds the Python that runs yt-dlp. */
import { open, realpath } from "node:fs/promises";

export interface Interpreter {
  /** Program and arguments. */
  readonly python: readonly string[];
  /** A yt-dlp in one file is imported from that file; "" when the interpreter finds the installed package. */
  readonly importFrom: string;
}

/** @returns undefined when yt-dlp is not a Python program */
export async function findInterpreter(ytDlpPath: string): Promise<Interpreter | undefined> {
  const path = await realpath(ytDlpPath).catch(() => undefined);
  if (path === undefined) return undefined;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const [firstLine = "", secondLine = ""] = buffer.subarray(0, bytesRead).toString("latin1").split("\n", 2);
  const python = /^#!\s*(\S*python\S*|\/usr\/bin\/env\s+python\S*)\s*$/.exec(firstLine)?.[1]?.split(/\s+/);
  if (!python) return undefined;
  // A zip archive follows the first line ("PK" is its signature) when yt-dlp is in one file.
  return { python, importFrom: secondLine.startsWith("PK") ? path : "" };
}
