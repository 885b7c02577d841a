import { expect, it } from "vitest";
import { openStorage } from "./text-storage.ts";

const refuse = (name: string) => () => {
  throw new DOMException("no", name);
};

it("stores nothing, without an error, where the browser refuses storage", () => {
  const storage = openStorage(refuse("SecurityError"));
  storage.setItem("key", "value");
  storage.removeItem("key");
  expect(storage.getItem("key")).toBeNull();
});

it("keeps what is stored, without an error, when there is no room left", () => {
  const full = { getItem: () => "before", setItem: refuse("QuotaExceededError"), removeItem: () => undefined };
  const storage = openStorage(() => full);
  storage.setItem("key", "value");
  expect(storage.getItem("key")).toBe("before");
});
