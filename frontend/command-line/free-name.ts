/** Names of saved files. */
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { cutToBytes, byteLength, MAX_NAME_BYTES } from "../../common/download-name.ts";

/**
 * Moves a file to the first free of `name.mp3`, `name (2).mp3`, … in a folder.
 * @param name as a server has named it: what looks like a folder in it is left out
 * @returns the new path
 */
export async function saveUnderFreeName(file: string, folder: string, name: string): Promise<string> {
  const plain = plainName(name);
  for (let count = 1; ; count += 1) {
    const target = path.join(folder, count === 1 ? plain : numbered(plain, count));
    if (!(await reserve(target))) continue;
    await rename(file, target);
    return target;
  }
}

/** Makes an empty file. @returns whether there was none */
async function reserve(target: string): Promise<boolean> {
  try {
    await (await open(target, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** A server that is not ours may name a path, or what a terminal takes for a command. */
function plainName(name: string): string {
  const last =
    name
      .split(/[/\\]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, "") ?? "";
  return /^\.*$/.test(last) ? "tapedeck" : last.replace(/^\.+/, "");
}

/** @returns such as "Rain (2).mp3", not longer than file systems allow */
function numbered(name: string, count: number): string {
  const { name: stem, ext } = path.parse(name);
  const ending = ` (${count})${ext}`;
  return cutToBytes(stem, MAX_NAME_BYTES - byteLength(ending)) + ending;
}
