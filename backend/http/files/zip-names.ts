/** Names of files that lie in one archive: no two the same, on any file system. */
import { cutToBytes, MAX_NAME_BYTES } from "./download-name.ts";

/**
 * @param names as files are called when they are downloaded by themselves
 * @returns one name for each, in order; the second "a.mp3" is "a (2).mp3"
 */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const [stem, extension] = dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
    let candidate = name;
    for (let n = 2; taken.has(folded(candidate)); n += 1) {
      const ending = ` (${n})${extension}`;
      candidate = cutToBytes(stem, MAX_NAME_BYTES - Buffer.byteLength(ending)) + ending;
    }
    taken.add(folded(candidate));
    return candidate;
  });
}

/** File systems may not tell case or forms of a letter apart, and people cannot see what is not drawn. */
function folded(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");
}
