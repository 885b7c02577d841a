import { expect, it } from "vitest";
import { isOnlyHere } from "./only-here.ts";

it.each([
  "http://localhost:3000",
  "http://tapedeck.localhost",
  "http://127.0.0.1:3000",
  "http://127.9",
  "http://[::1]:3000",
])("knows that no other device reaches %s", (address) => expect(isOnlyHere(new URL(address).hostname)).toBe(true));

it.each(["http://nas:3000", "http://192.168.1.27", "https://localhost.example", "https://127.example", "http://[::2]"])(
  "knows that other devices may reach %s",
  (address) => expect(isOnlyHere(new URL(address).hostname)).toBe(false),
);
