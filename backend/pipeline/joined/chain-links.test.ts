import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { readChainLinks } from "./chain-links.ts";

const folder = await testFolder();

function page(bodyBytes: number, { begins = false } = {}): Buffer {
  const segments = [...Array<number>(Math.floor(bodyBytes / 255)).fill(255), bodyBytes % 255];
  const header = Buffer.alloc(27);
  header.write("OggS", "latin1");
  header.writeUInt8(begins ? 2 : 0, 5);
  header.writeUInt8(segments.length, 26);
  return Buffer.concat([header, Buffer.from(segments), Buffer.alloc(bodyBytes)]);
}
const first = page(30, { begins: true });
const next = page(4_000);
const manyPages = Buffer.concat(Array.from({ length: 600 }, () => next));

async function linksOf(...parts: readonly Buffer[]): Promise<readonly (readonly [number, number])[]> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, Buffer.concat(parts));
  return (await readChainLinks(path, 10)).map(({ start, end }) => [start, end] as const);
}

it.each<[string, readonly Buffer[], number]>([
  ["one stream", [first, next, next], 1],
  ["streams beside each other, such as sound and picture", [first, first, next, next], 1],
  ["two streams one after the other", [first, next, first, next], 2],
  ["links that are longer than what is read at once", [first, manyPages, first, manyPages, first, next], 3],
  ["bytes that belong to no page", [first, next, Buffer.alloc(5_000, 1), first, next], 2],
  ["a last page that is cut off", [first, next, first, next.subarray(0, 10)], 2],
  ["as many links as are read", Array.from({ length: 10 }, () => [first, next]).flat(), 10],
  ["more links than are read", Array.from({ length: 5_000 }, () => [first, next]).flat(), 11],
  ["no Ogg file", [Buffer.alloc(3_000_000, 7)], 0],
  ["nothing", [], 0],
])("counts the links of a file with %s", async (_, parts, count) => {
  expect(await linksOf(...parts)).toHaveLength(count);
});

it("tells where each link begins and ends", async () => {
  const link = first.length + next.length;
  expect(await linksOf(first, next, first, next)).toEqual([
    [0, link],
    [link, 2 * link],
  ]);
});
