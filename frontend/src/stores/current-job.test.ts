import { expect, it } from "vitest";
import { createCurrentJobStore } from "./current-job.ts";
import { memoryStorage } from "../testing/memory-storage.ts";

it("has the newest started job until it is released", () => {
  const store = createCurrentJobStore({ session: memoryStorage() });
  expect(store.getState().id).toBeNull();
  store.getState().begin("first");
  store.getState().begin("second");
  expect(store.getState().id).toBe("second");
  store.getState().release();
  expect(store.getState().id).toBeNull();
});

it("keeps the job after a reload of the tab, but not a released one", () => {
  const session = memoryStorage();
  createCurrentJobStore({ session }).getState().begin("one");
  const reloaded = createCurrentJobStore({ session });
  expect(reloaded.getState().id).toBe("one");
  reloaded.getState().release();
  expect(createCurrentJobStore({ session }).getState().id).toBeNull();
});
