/** Makes file names unique within an archive, on every file system. */
import { byteLength, cutToBytes, MAX_NAME_BYTES } from "../../../common/download-name.ts";

/**
 * @param names the download names of the files
 * @returns a name for each file, in the same order; the second "a.mp3" is "a (2).mp3"
 */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const stem = dot <= 0 ? name : name.slice(0, dot);
    const extension = dot <= 0 ? "" : name.slice(dot);
    let candidate = name;
    for (let n = 2; taken.has(comparable(candidate)); n += 1) {
      const ending = ` (${n})${extension}`;
      candidate = cutToBytes(stem, MAX_NAME_BYTES - byteLength(ending)) + ending;
    }
    taken.add(comparable(candidate));
    return candidate;
  });
}

/**
 * @returns the same text for names that differ only in case, Unicode form or invisible characters, because file systems
 *   may treat them as one name
 */
function comparable(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");
}
