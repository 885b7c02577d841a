import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { REPOSITORY_ROOT } from "../repository.ts";

/**
 * Compares the rows of a table in a document with those that code renders. `-u` writes them:
 * `npm run test:unit -- backend/config -u`.
 * @param document path in the repository
 * @param isRow matches each row of the table, and no other line
 */
export async function expectRows(document: string, isRow: RegExp, rows: readonly string[]): Promise<void> {
  const path = join(REPOSITORY_ROOT, document);
  const lines = (await readFile(path, "utf8")).split("\n");
  const first = lines.findIndex((line) => isRow.test(line));
  const last = lines.findLastIndex((line) => isRow.test(line));
  expect(first, `${document} has no row like ${isRow.source}`).toBeGreaterThan(-1);
  await expect(lines.toSpliced(first, last - first + 1, ...rows).join("\n")).toMatchFileSnapshot(path);
}
