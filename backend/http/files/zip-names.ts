/** Makes file names unique within an archive, on every file system. */
import { byteLength, cutToBytes, MAX_NAME_BYTES } from "../../../common/download-name.ts";

/** For " (5000)" and more: long names are cut by so much before they are counted, so that those cut alike count together. */
const ROOM_FOR_NUMBER = 12;

/**
 * The time it takes grows with the number of names only: a visitor can give thousands of files one title.
 * @param names the download names of the files
 * @returns a name for each file, in the same order; the second "a.mp3" is "a (2).mp3"
 */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  /** The last number of each name: those before it need not be tried again. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const stem = dot <= 0 ? name : name.slice(0, dot);
    const extension = dot <= 0 ? "" : name.slice(dot);
    let candidate = name;
    if (taken.has(comparable(name))) {
      const room = MAX_NAME_BYTES - byteLength(extension) - ROOM_FOR_NUMBER;
      const cutAlike = comparable(cutToBytes(stem, room) + extension);
      let number = numbers.get(cutAlike) ?? 1;
      do {
        number += 1;
        const ending = ` (${number})${extension}`;
        candidate = cutToBytes(stem, MAX_NAME_BYTES - byteLength(ending)) + ending;
      } while (taken.has(comparable(candidate)));
      numbers.set(cutAlike, number);
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
