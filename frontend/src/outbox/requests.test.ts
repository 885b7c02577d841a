import { expect, it, vi } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { silentApi } from "../testing/silent-api.ts";
import { readEntries } from "./entries.ts";
import { Outbox } from "./outbox.ts";
import { createRequests } from "./requests.ts";
import type { RequestParts } from "./requests.ts";

const ignore = () => undefined;
const INPUT = { youtubeUrl: "https://youtu.be/a", format: "mp3" } as const;

function openPage(isOnline: boolean, calls: Partial<RequestParts["api"]>) {
  const storage = memoryStorage();
  const viewerId = () => null;
  const outbox = new Outbox({
    storage,
    windows: new EventTarget(),
    isOnline: () => isOnline,
    viewerId,
    onExpired: ignore,
  });
  const late = { onLateJob: ignore, onLateBatch: ignore, onLateRefusal: ignore };
  const requests = createRequests({ api: { ...silentApi, ...calls }, outbox, viewerId, ...late });
  const stored = () => readEntries(storage).map(({ kind }) => kind);
  return { requests, stored };
}

it("removes the job of a conversion that is taken back after its request was sent", async () => {
  const made = Promise.withResolvers<Job>();
  const removed = Promise.withResolvers<string>();
  const keys: unknown[] = [];
  const { requests, stored } = openPage(true, {
    createConversion: (_input, _signal, key) => (keys.push(key), made.promise),
    removeConversion: (id) => Promise.resolve(removed.resolve(id)),
  });
  const controller = new AbortController();
  const conversion = requests.createConversion(INPUT, controller.signal);
  controller.abort();
  await expect(conversion).rejects.toMatchObject({ name: "AbortError" });
  expect(stored()).toEqual(["takeBack"]);
  made.resolve(makeJob({ id: "made" }));
  expect(await removed.promise).toBe("made");
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it("asks again to take a conversion back when the server refuses for a moment", async () => {
  const removed = Promise.withResolvers<string>();
  let calls = 0;
  const { requests, stored } = openPage(true, {
    createConversion: () => {
      calls += 1;
      if (calls === 1) return new Promise<Job>(ignore);
      if (calls === 2) return Promise.reject(new ApiError(503, "unavailable", "Try again."));
      return Promise.resolve(makeJob({ id: "made" }));
    },
    removeConversion: (id) => Promise.resolve(removed.resolve(id)),
  });
  const controller = new AbortController();
  const conversion = requests.createConversion(INPUT, controller.signal);
  controller.abort();
  await expect(conversion).rejects.toMatchObject({ name: "AbortError" });
  expect(await removed.promise).toBe("made");
  await vi.waitFor(() => expect(stored()).toEqual([]));
});

it("only withdraws a conversion that was never sent", async () => {
  const { requests, stored } = openPage(false, {});
  const controller = new AbortController();
  const conversion = requests.createConversion(INPUT, controller.signal);
  await expect(conversion).rejects.toMatchObject({ name: "WaitsForNetwork" });
  expect(stored()).toEqual(["convert"]);
  controller.abort();
  expect(stored()).toEqual([]);
});
