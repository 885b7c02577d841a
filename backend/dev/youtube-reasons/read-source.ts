/** Runs a program that reads the source of a yt-dlp and prints JSON. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";

/**
 * @param program in Python
 * @param ytDlpPath an installed yt-dlp; its Python reads the source, and does not run it
 * @param folder the one that has another `yt_dlp` in it, which is read in place of the installed one
 */
export async function readSource(program: string, ytDlpPath: string, folder?: string): Promise<unknown> {
  const [python, ...args] = (await findInterpreter(ytDlpPath))?.python ?? ["python3"];
  const command = [...args, "-I", program, ...(folder === undefined ? [] : [folder])];
  const { stdout } = await promisify(execFile)(python ?? "python3", command, { maxBuffer: 10_000_000 });
  return JSON.parse(stdout);
}
