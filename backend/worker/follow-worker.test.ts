import { expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import type { FoundList } from "../domain/jobs/lists.ts";
import { SiteBusy } from "../pipeline/errors/site-refusal.ts";
import { DIRECT_EXIT } from "../pipeline/exits/exit.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { listsAfterVisitors } from "./follow-worker.ts";

const YOUTUBE = "https://www.youtube.com/@tapedeck/videos";
const LIST: FoundList = { title: "A list", entries: [] };
const { signal } = new AbortController();

/** Reads through a pool whose exit may be asked four times an hour. */
function poolOf(spent: number) {
  const exits = new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour: 4 });
  const spend = async (): Promise<void> => {
    for (let index = 0; index < spent; index += 1) await exits.acquire(signal);
  };
  return { pipeline: { youtube: { exits, clientOrder: [] } } as unknown as Pipeline, spend };
}

it.each([
  ["a list of YouTube while half of the budget is left", YOUTUBE, 1, LIST],
  ["none of YouTube when half of it is spent", YOUTUBE, 2, null],
  ["one of another site all the same", "https://video.example/list", 2, LIST],
])("reads %s", async (_, link, spent, found) => {
  const { pipeline, spend } = poolOf(spent);
  await spend();
  const lists = listsAfterVisitors({ read: () => Promise.resolve(LIST) }, pipeline);
  expect(await lists.read(link, 1, signal)).toBe(found);
});

it("puts off what the site refuses for now, and passes other failures on", async () => {
  const { pipeline } = poolOf(0);
  const failing = (reason: Error) => listsAfterVisitors({ read: () => Promise.reject(reason) }, pipeline);
  expect(await failing(new SiteBusy(Date.now())).read(YOUTUBE, 1, signal)).toBeNull();
  await expect(failing(new ConversionError("unavailable")).read(YOUTUBE, 1, signal)).rejects.toMatchObject({
    code: "unavailable",
  });
});
