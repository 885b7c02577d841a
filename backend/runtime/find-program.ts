/** Finds programs on the PATH. */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** @returns path of the first program of that name on the PATH, or undefined */
export function findOnPath(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

/** Whether the file exists and may be executed. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
