/** Runs code where other folders are mounted than on this machine, such as a disk of its own with a `lost+found`. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * @param mounts options of bubblewrap, after those that show the whole machine
 * @param script a module for Node that writes JSON
 * @returns what it has written
 */
export async function runWithMounts(mounts: readonly string[], script: string): Promise<unknown> {
  const node = [process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("bwrap", ["--dev-bind", "/", "/", ...mounts, ...node]);
  return JSON.parse(stdout);
}
