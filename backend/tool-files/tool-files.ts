/**
 * Opens files in folders that tools write to. A tool that was taken over may put a link, a pipe or a folder in the place
 * of any name there, at any time. So no link is followed, a file is looked at once it is open, and is made only where
 * there is none. A path names a file directly in a folder that this server made; a sandbox keeps tools from replacing
 * that folder.
 */
import { constants, createWriteStream, type Stats, type WriteStream } from "node:fs";
import { lstat, open, rename, rm, unlink, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { ConversionError } from "../../common/errors.ts";

/** Opening a pipe that nobody writes to would block a thread of this process. */
const CAREFULLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What the system says of a link, of a folder, and of a socket, where a file was to be opened. */
const NO_FILE: ReadonlySet<string> = new Set(["ELOOP", "EISDIR", "ENXIO"]);

/** A tool has left something else in the place of its file. */
export class RefusedFile extends ConversionError {
  constructor(path: string, found: string) {
    const detail = `a tool left ${found} at ${path}`;
    super("internal", { detail, cause: new Error(detail) });
  }
}

/** @returns the system's code, such as ENOENT; empty for another error */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** @throws RefusedFile */
function check(path: string, stats: Stats, maxBytes = Infinity): void {
  if (!stats.isFile()) throw new RefusedFile(path, "what is no file");
  // The user of a sandbox is the user of this process.
  if (stats.uid !== (process.geteuid?.() ?? stats.uid)) throw new RefusedFile(path, "the file of another user");
  if (stats.size > maxBytes) throw new RefusedFile(path, `a file of ${stats.size} bytes`);
}

async function openChecked(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | CAREFULLY).catch((error: unknown) => {
    throw NO_FILE.has(codeOf(error)) ? new RefusedFile(path, "what is no file") : error;
  });
  try {
    check(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file for reading. @throws RefusedFile; the system's error, also when there is none */
export function openFile(path: string): Promise<FileHandle> {
  return openChecked(path, constants.O_RDONLY);
}

/** Writes what the system still holds of a file to the disk. @throws what {@link openFile} throws */
export async function flushFile(path: string): Promise<void> {
  await using file = await openFile(path);
  await file.sync();
}

/** @returns the bytes from a position on; fewer where the file ends before */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Opens a file for reading and for writing over its bytes. @throws what {@link openFile} throws */
export function openToChange(path: string): Promise<FileHandle> {
  return openChecked(path, constants.O_RDWR);
}

/**
 * Makes a file that only this user may read, in place of one that an earlier try has left.
 * @returns it, open for reading and writing
 * @throws RefusedFile when the name is taken by what is no file
 */
export async function createFile(path: string): Promise<FileHandle> {
  const create = (): Promise<FileHandle> =>
    open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | CAREFULLY, 0o600);
  try {
    return await create();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  await sizeOf(path);
  await removeFile(path);
  return create();
}

/** Makes a file that only this user may read. The stream fails with EEXIST where the name is taken, also by a link. */
export function writeNewFile(path: string): WriteStream {
  return createWriteStream(path, { flags: "wx", mode: 0o600 });
}

/** @throws RefusedFile for more than `maxBytes`, and what {@link openFile} throws */
export async function readFile(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await openFile(path);
  const stats = await file.stat();
  check(path, stats, maxBytes);
  // Bytes that a tool adds meanwhile are not read.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
  return buffer.subarray(0, bytesRead);
}

/** Writes a whole file. @throws what {@link createFile} throws */
export async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await createFile(path);
  await file.writeFile(content);
}

/** @returns bytes of a file @throws RefusedFile, also for more than `maxBytes`; the system's error when there is none */
export async function sizeOf(path: string, maxBytes = Infinity): Promise<number> {
  const stats = await lstat(path);
  check(path, stats, maxBytes);
  return stats.size;
}

/** @returns bytes of a file, 0 when there is none @throws RefusedFile */
export async function sizeOrZero(path: string): Promise<number> {
  try {
    return await sizeOf(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return 0;
  }
}

/**
 * Moves a file on its disk. In a folder that no tool writes to, nothing but a file is there afterwards.
 * @throws RefusedFile; the system's error, such as EXDEV for another disk
 */
export async function moveFile(from: string, to: string): Promise<void> {
  await sizeOf(from);
  await rename(from, to);
  try {
    // Something else may have taken the name meanwhile.
    await sizeOf(to);
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}

/** @throws what {@link openFile} and {@link createFile} throw */
export async function copyFile(from: string, to: string): Promise<void> {
  await using source = await openFile(from);
  await using target = await createFile(to);
  await pipeline(source.createReadStream(), target.createWriteStream());
}

/** Removes a file, or the link or pipe in its place, if there is one. @throws RefusedFile for a folder */
export async function removeFile(path: string): Promise<void> {
  try {
    // Unlike `rm`, it never looks into a folder, which may be a link by then.
    await unlink(path);
  } catch (error) {
    if (codeOf(error) === "EISDIR") throw new RefusedFile(path, "a folder");
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
