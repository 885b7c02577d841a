import { setImmediate } from "node:timers/promises";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { LinkSlots, SLOW_MS } from "./link-slots.ts";

const never = new AbortController().signal;
const A = "https://a.example/one";
const B = "https://b.example/one";
const C = "https://c.example/one";

let scratchFolder: string;
beforeAll(async () => {
  scratchFolder = await testFolder();
});

afterEach(() => vi.useRealTimers());

/** Slots, and what has begun and not ended. */
function open(concurrency: number) {
  const slots = new LinkSlots({ scratchFolder, concurrency });
  const begun: string[] = [];
  const ends: { readonly link: string; readonly end: () => void }[] = [];
  let isOver = false;
  return {
    slots,
    begun,
    ask: (link: string) =>
      slots.run(link, never, () => {
        begun.push(link);
        return new Promise<void>((resolve) => {
          if (isOver) resolve();
          else ends.push({ link, end: resolve });
        });
      }),
    /** Ends a run of the link. */
    end: (link: string) => {
      const index = ends.findIndex((run) => run.link === link);
      ends.splice(index, 1)[0]?.end();
    },
    endAll: async () => {
      isOver = true;
      for (const { end } of ends) end();
      await slots.untilIdle();
    },
  };
}

it.each([1, 2, 3])(
  "gives a site that is alone all of %i slots and no more, in the order of the requests",
  async (count) => {
    const { begun, ask, end, endAll } = open(count);
    const links = Array.from({ length: count + 2 }, (_, index) => `${A}${index}`);
    for (const link of links) void ask(link);
    await expect.poll(() => begun).toHaveLength(count);
    // Those that begin together may do so in any order.
    expect(begun.toSorted()).toEqual(links.slice(0, count));
    end(`${A}0`);
    await expect.poll(() => begun.slice(count)).toEqual([links[count]]);
    end(`${A}${count}`);
    await expect.poll(() => begun.slice(count)).toEqual(links.slice(count));
    await endAll();
  },
);

it.each([1, 2])(
  "begins a link at once while another site answers none of its %i and has more waiting",
  async (count) => {
    const { begun, ask, end, endAll } = open(count);
    for (let index = 0; index < count + 5; index += 1) void ask(A);
    await expect.poll(() => begun).toHaveLength(count);
    const asked = ask(B);
    await expect.poll(() => begun.at(-1)).toBe(B);
    end(B);
    await asked;
    void ask(C);
    await expect.poll(() => begun.at(-1)).toBe(C);
    expect(begun.filter((link) => link === A)).toHaveLength(count);
    await endAll();
  },
);

it("gives the next free slot to the site that has the fewest", async () => {
  const { begun, ask, end, endAll } = open(2);
  for (const link of [A, A, B, A, B, C]) void ask(link);
  await expect.poll(() => begun.toSorted()).toEqual([A, A, B]);
  end(A);
  await expect.poll(() => begun.slice(3)).toEqual([C]);
  end(C);
  // Both have one, and the link of A came first.
  await expect.poll(() => begun.slice(4)).toEqual([A]);
  await endAll();
});

it("refuses a site that has eight links waiting for each slot, and others until eight wait for each of all", async () => {
  const { slots, begun, ask, endAll } = open(1);
  for (let index = 0; index < 1 + 7; index += 1) void ask(A);
  await expect.poll(() => begun).toHaveLength(1);
  slots.requireFreeSlot(A);
  void ask(A);
  const refusal = { code: "unavailable_now" };
  expect(() => slots.requireFreeSlot("https://www.a.example/other")).toThrow(expect.objectContaining(refusal));
  for (let index = 0; index < 1 + 7; index += 1) void ask(B);
  slots.requireFreeSlot(C);
  void ask(B);
  expect(() => slots.requireFreeSlot(C)).toThrow(expect.objectContaining(refusal));
  await endAll();
});

it("does not begin what was aborted while it waited, and gives its slot to the next", async () => {
  const { slots, begun, ask, end, endAll } = open(1);
  void ask(A);
  const abort = new AbortController();
  const reason = new Error("left");
  const left = slots.run(A, abort.signal, () => Promise.reject(new Error("began")));
  void ask(`${A}/next`);
  abort.abort(reason);
  await expect.poll(() => begun).toEqual([A]);
  end(A);
  await expect(left).rejects.toBe(reason);
  await expect.poll(() => begun).toEqual([A, `${A}/next`]);
  await endAll();
});

/** Polling would let the time of the test go on. */
async function untilBegun(begun: readonly string[], count: number): Promise<void> {
  while (begun.length < count) await setImmediate();
}

it("gives the slot of a run to another site once it lasts longer than ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { slots, begun, ask, endAll } = open(1);
  for (const link of [A, B]) void ask(link);
  await untilBegun(begun, 2);
  // As many as may wait for two slots, none of a site that runs.
  for (let n = 0; n < 2 * 8; n += 1) void ask(`https://${n}.example/one`);
  vi.advanceTimersByTime(SLOW_MS - 1);
  expect(() => slots.requireFreeSlot(C)).toThrow(expect.objectContaining({ code: "unavailable_now" }));
  vi.advanceTimersByTime(1);
  slots.requireFreeSlot(C);
  await untilBegun(begun, 4);
  expect(begun.slice(2).toSorted()).toEqual(["https://0.example/one", "https://1.example/one"]);
  await endAll();
});

it("begins no further run of a site whose runs gave up their slots, and in all four for each slot", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { begun, ask, end, endAll } = open(1);
  void ask(A);
  void ask(`${A}/next`);
  for (let n = 0; n < 10; n += 1) void ask(`https://${n}.example/one`);
  for (let runs = 2; runs <= 8; runs += 2) {
    await untilBegun(begun, runs);
    vi.advanceTimersByTime(SLOW_MS);
  }
  end(A);
  await untilBegun(begun, 9);
  expect(begun.indexOf(`${A}/next`)).toBe(8);
  await endAll();
});
