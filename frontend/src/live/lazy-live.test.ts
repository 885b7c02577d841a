import { expect, it, vi } from "vitest";
import { createLazyLive } from "./lazy-live.ts";

it("starts once the network is there, when its script could not be loaded without one", async () => {
  const browser = new EventTarget();
  const resolved = () => vi.fn<() => Promise<void>>().mockResolvedValue();
  const live = { start: resolved(), retry: resolved(), refreshIdentity: resolved(), stop: () => undefined };
  const load = vi.fn<() => Promise<typeof live>>().mockResolvedValue(live);
  load.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const onLoadFailed = vi.fn<() => void>();
  const lazy = createLazyLive({ load, browser, onLoadFailed });
  await lazy.start();
  expect([onLoadFailed.mock.calls.length, live.start.mock.calls.length]).toEqual([1, 0]);
  browser.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(live.start).toHaveBeenCalledTimes(1));
  browser.dispatchEvent(new Event("online"));
  await lazy.start();
  expect([load.mock.calls.length, live.start.mock.calls.length]).toEqual([2, 1]);
});
