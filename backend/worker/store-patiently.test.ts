import { expect, it, vi } from "vitest";
import { StoreUnavailableError } from "../storage/file-store.ts";
import { storePatiently } from "./store-patiently.ts";

const PATIENCE_MS = 60_000;
const { signal } = new AbortController();

/** @returns a task that fails with these errors, one at each call, and then succeeds */
function failingWith(...errors: readonly Error[]) {
  const left = [...errors];
  return vi.fn<() => Promise<void>>(() => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve();
  });
}

it("stores a file when the storage answers again", async () => {
  const store = failingWith(new StoreUnavailableError("store"));
  await storePatiently(store, { patienceMs: PATIENCE_MS, signal });
  expect(store).toHaveBeenCalledTimes(2);
});

it("gives up when the outage lasts", async () => {
  const outage = new StoreUnavailableError("store");
  const store = failingWith(outage);
  await expect(storePatiently(store, { patienceMs: 0, signal })).rejects.toBe(outage);
  expect(store).toHaveBeenCalledOnce();
});

it("does not repeat what failed for another reason", async () => {
  const store = failingWith(new Error("the file is gone"));
  await expect(storePatiently(store, { patienceMs: PATIENCE_MS, signal })).rejects.toThrow("the file is gone");
});

it("stops waiting when the conversion is aborted", async () => {
  const abort = new AbortController();
  const store = failingWith(new StoreUnavailableError("store"));
  const storing = storePatiently(store, { patienceMs: PATIENCE_MS, signal: abort.signal });
  abort.abort(new Error("canceled"));
  await expect(storing).rejects.toThrow("canceled");
  expect(store).toHaveBeenCalledOnce();
});
