import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { SiteCookies } from "./site-cookies.ts";

const LATER = Math.floor(Date.now() / 1_000) + 86_400;
const line = (domain: string, name: string, expires = LATER): string =>
  `${domain}\tTRUE\t/\tFALSE\t${expires}\t${name}\tvalue-of-${name}\n`;
const file = (...lines: string[]): string => `# Netscape HTTP Cookie File\n${lines.join("")}`;

const folder = await testFolder();
let cookies: SiteCookies;
beforeAll(async () => {
  cookies = new SiteCookies(folder);
  const own = file(
    line(".video.example", "session"),
    line(".player.video.example", "seen"),
    line("other.example", "x"),
  );
  await writeFile(path.join(folder, "video.example.txt"), own, { mode: 0o600 });
});

/** @returns what a call for the host gets */
async function copied(host: string): Promise<readonly string[]> {
  await using copy = await (await cookies.of(host))?.copyInto(folder);
  return [...new Set(await copy?.secrets())];
}

it.each([
  ["video.example", true],
  ["www.Video.example", true],
  ["notvideo.example", false],
  ["example", false],
  ["127.0.0.1", false],
  ["[::1]", false],
])("finds the file of the host %s: %s", async (host, isFound) => {
  expect((await cookies.of(host)) !== undefined).toBe(isFound);
});

it("prefers the file of the nearest domain", async () => {
  await writeFile(path.join(folder, "deep.video.example.txt"), file(line(".deep.video.example", "own")), {
    mode: 0o600,
  });
  expect(await copied("a.deep.video.example")).toEqual(["value-of-own"]);
});

it("copies nothing but cookies of the site", async () => {
  expect(await copied("video.example")).toEqual(["value-of-session", "value-of-seen"]);
});

it("finds nothing where there is no folder", async () => {
  const none = new SiteCookies(path.join(folder, "none"));
  expect([await none.of("video.example"), await none.check()]).toEqual([undefined, []]);
});

it("says what the operator should look at, and no cookie", async () => {
  const expired = file(line(".old.example", "session", LATER - 172_800));
  await writeFile(path.join(folder, "old.example.txt"), expired, { mode: 0o600 });
  await writeFile(path.join(folder, "README"), "");
  await chmod(path.join(folder, "video.example.txt"), 0o644);
  const said = (await cookies.check()).join("\n");
  for (const part of ["README is not used", "no cookie of old.example that is still valid", "chmod 600 prevents that"])
    expect(said).toContain(part);
  expect(said).not.toContain("value-of");
});
