/** Names of files that lie in one archive: no two the same, on any file system. */

/** @returns one name for each, in order; the second "a.mp3" is "a (2).mp3" */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = withoutDrive(name);
    const dot = plain.lastIndexOf(".");
    const [stem, extension] = dot <= 0 ? [plain, ""] : [plain.slice(0, dot), plain.slice(dot)];
    let candidate = plain;
    for (let n = 2; taken.has(folded(candidate)); n += 1) candidate = `${stem} (${n})${extension}`;
    taken.add(folded(candidate));
    return candidate;
  });
}

/** Many file systems do not tell case or forms of an accent apart. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** An archive may not name a drive, and "A: part one" looks like one. */
function withoutDrive(name: string): string {
  return name.replace(/^([a-z]):/i, "$1_");
}
