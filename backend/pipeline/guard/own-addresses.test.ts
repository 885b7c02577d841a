import { expect, it } from "vitest";
import { watchOwnAddresses } from "./own-addresses.ts";

it("knows the addresses of the interfaces, of the site's name, and the name itself", async () => {
  using own = watchOwnAddresses({
    publicUrl: "https://Tapedeck.example./",
    interfaceAddresses: () => ["203.0.113.7", "2A00:1450::7"],
    resolve: (name) => Promise.resolve(name === "tapedeck.example" ? ["198.51.100.9"] : []),
  });
  await own.resolved;
  expect(["203.0.113.7", "2a00:1450::7", "198.51.100.9"].map((address) => own.has(address))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["203.0.113.8", "2a00:1450::8", "198.51.100.8"].map((address) => own.has(address))).toEqual([
    false,
    false,
    false,
  ]);
  expect([own.isOwnName("tapedeck.example"), own.isOwnName("www.tapedeck.example")]).toEqual([true, false]);
});

it("knows the interfaces at once, and when the site's name cannot be resolved", async () => {
  using own = watchOwnAddresses({
    publicUrl: "https://tapedeck.example",
    resolve: () => Promise.reject(new Error("no such name")),
  });
  expect(own.has("127.0.0.1")).toBe(true);
  await own.resolved;
  expect(own.has("127.0.0.1")).toBe(true);
});
