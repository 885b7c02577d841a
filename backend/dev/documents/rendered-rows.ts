import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY_ROOT } from "../repository.ts";

/**
 * Puts rows that code renders into the table of a document. A test compares the text with the file by
 * `toMatchFileSnapshot`, which writes it with `-u`: `npm run test:unit -- backend/config -u`.
 * @param document path in the repository
 * @param isRow matches each row of the table, and no other line
 */
export async function withRows(document: string, isRow: RegExp, rows: readonly string[]) {
  const path = join(REPOSITORY_ROOT, document);
  const lines = (await readFile(path, "utf8")).split("\n");
  const first = lines.findIndex((line) => isRow.test(line));
  const last = lines.findLastIndex((line) => isRow.test(line));
  if (first === -1) throw new Error(`${document} has no row like ${isRow.source}`);
  return { path, text: lines.toSpliced(first, last - first + 1, ...rows).join("\n") };
}
