/** The answers to OWASP ASVS: complete, about places that exist, and each yes with a test that shows it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../repository.ts";

/** The requirements of version 5.0 on levels 1 and 2, by section. */
const REQUIREMENTS: Readonly<Record<string, readonly number[]>> = {
  "1.1": [1, 2],
  "1.2": [1, 2, 3, 4, 5, 6, 7, 8, 9],
  "1.3": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "1.4": [1, 2, 3],
  "1.5": [1, 2],
  "2.1": [1, 2, 3],
  "2.2": [1, 2, 3],
  "2.3": [1, 2, 3, 4],
  "2.4": [1],
  "3.2": [1, 2],
  "3.3": [1, 2, 3, 4],
  "3.4": [1, 2, 3, 4, 5, 6],
  "3.5": [1, 2, 3, 4, 5],
  "3.7": [1, 2],
  "4.1": [1, 2, 3],
  "4.2": [1],
  "4.3": [1, 2],
  "4.4": [1, 2, 3, 4],
  "5.1": [1],
  "5.2": [1, 2, 3],
  "5.3": [1, 2],
  "5.4": [1, 2, 3],
  "6.1": [1, 2, 3],
  "6.2": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  "6.3": [1, 2, 3, 4],
  "6.4": [1, 2, 3, 4],
  "6.5": [1, 2, 3, 4, 5],
  "6.6": [1, 2, 3],
  "6.8": [1, 2, 3, 4],
  "7.1": [1, 2, 3],
  "7.2": [1, 2, 3, 4],
  "7.3": [1, 2],
  "7.4": [1, 2, 3, 4, 5],
  "7.5": [1, 2],
  "7.6": [1, 2],
  "8.1": [1, 2],
  "8.2": [1, 2, 3],
  "8.3": [1],
  "8.4": [1],
  "9.1": [1, 2, 3],
  "9.2": [1, 2, 3, 4],
  "10.1": [1, 2],
  "10.2": [1, 2],
  "10.3": [1, 2, 3, 4],
  "10.4": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "10.5": [1, 2, 3, 4, 5],
  "10.6": [1, 2],
  "10.7": [1, 2, 3],
  "11.1": [1, 2],
  "11.2": [1, 2, 3],
  "11.3": [1, 2, 3],
  "11.4": [1, 2, 3, 4],
  "11.5": [1],
  "11.6": [1],
  "12.1": [1, 2, 3],
  "12.2": [1, 2],
  "12.3": [1, 2, 3, 4],
  "13.1": [1],
  "13.2": [1, 2, 3, 4, 5],
  "13.3": [1, 2],
  "13.4": [1, 2, 3, 4, 5],
  "14.1": [1, 2],
  "14.2": [1, 2, 3, 4],
  "14.3": [1, 2, 3],
  "15.1": [1, 2, 3],
  "15.2": [1, 2, 3],
  "15.3": [1, 2, 3, 4, 5, 6, 7],
  "16.1": [1],
  "16.2": [1, 2, 3, 4, 5],
  "16.3": [1, 2, 3, 4],
  "16.4": [1, 2, 3],
  "16.5": [1, 2, 3],
  "17.1": [1],
  "17.2": [1, 2, 3, 4],
  "17.3": [1, 2],
};

const text = await readFile(join(REPOSITORY_ROOT, ".github", "ASVS.md"), "utf8");
const rows = [...text.matchAll(/^\| (\d[\d., ]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, ids = "", , answer = "", why = ""]) => ({ ids: ids.split(", "), answer, why }),
);

it("answers each requirement once", () => {
  const wanted = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) => numbers.map((n) => `${section}.${n}`));
  expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(wanted.toSorted());
});

it("answers with yes, no or n/a, says why, and counts right", () => {
  const counts = new Map([
    ["yes", 0],
    ["no", 0],
    ["n/a", 0],
  ]);
  for (const { ids, answer, why } of rows) {
    expect([...counts.keys()]).toContain(answer);
    expect(why.length).toBeGreaterThan(3);
    counts.set(answer, (counts.get(answer) ?? 0) + ids.length);
  }
  expect(text).toContain(`${counts.get("yes")} yes, ${counts.get("no")} no, ${counts.get("n/a")} not applicable.`);
});

it("names files and sections that exist", async () => {
  const paths = [...text.matchAll(/`((?:backend|common|docker|frontend|\.github)\/[^`]+|\.dockerignore)`/g)];
  expect(paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(REPOSITORY_ROOT, path)))).toEqual([]);
  for (const [, section = "", path = ""] of text.matchAll(/"([^"]+)" in `([^`]+\.md)`/g))
    expect(await readFile(join(REPOSITORY_ROOT, path), "utf8")).toMatch(
      new RegExp(`^#+ .*${section}|\\*\\*${section}`, "m"),
    );
});

/** `` `path`: "title", "title" ``, as the list names tests; a title is that of a test, of a step, or of a group. */
const NAMED_TESTS = /`([^`]+\.(?:test\.tsx?|contract\.ts|e2e\.ts))`: ((?:"[^"]+"(?:, )?)+)/g;

function testsIn(why: string): { path: string; title: string }[] {
  return [...why.matchAll(NAMED_TESTS)].flatMap(([, path = "", titles = ""]) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ path, title })),
  );
}

it("names a test for each yes, and only tests that exist", async () => {
  const yes = rows.filter(({ answer }) => answer === "yes");
  expect(yes.filter(({ why }) => testsIn(why).length === 0).map(({ ids }) => ids)).toEqual([]);
  const missing: string[] = [];
  for (const { path, title } of rows.flatMap(({ why }) => testsIn(why))) {
    const source = (await readFile(join(REPOSITORY_ROOT, path), "utf8")).replaceAll(/\(\s+/g, "(");
    if (!['"', "'", "`"].some((quote) => source.includes(`(${quote}${title}${quote},`)))
      missing.push(`${path}: ${title}`);
  }
  expect(missing).toEqual([]);
});
