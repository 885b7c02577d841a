import { expect, it } from "vitest";
import { formatHostEntry, parseHostEntry, parseHostList, type HostEntry } from "./hosts.ts";

it.each<[string, HostEntry]>([
  ["youtube.com", { host: "youtube.com" }],
  [" YouTube.COM ", { host: "youtube.com" }],
  ["localhost:8090", { host: "localhost", port: 8090 }],
  ["127.0.0.1:1", { host: "127.0.0.1", port: 1 }],
  ["[::1]:65535", { host: "::1", port: 65_535 }],
  ["[::1]", { host: "::1" }],
  ["video-2.example.org", { host: "video-2.example.org" }],
  ["xn--bcher-kva.example", { host: "xn--bcher-kva.example" }],
])("parses %j as a host", (text, entry) => {
  expect(parseHostEntry(text)).toEqual(entry);
  expect(parseHostEntry(formatHostEntry(entry))).toEqual(entry);
});

it.each([
  "",
  " ",
  "https://youtube.com",
  "youtube.com/",
  "youtube.com/watch",
  "*.youtube.com",
  "you tube.com",
  "user@youtube.com",
  "youtube.com:0",
  "youtube.com:65536",
  "youtube.com:http",
  "youtube.com:",
  ":80",
  "-youtube.com",
  "youtube.com.",
  ".youtube.com",
  "::1",
  "bücher.example",
])("rejects %j with its text in the message", (text) => {
  expect(() => parseHostEntry(text)).toThrow(RangeError);
  expect(() => parseHostEntry(text)).toThrow(`"${text}"`);
});

it("parses a list with spaces and empty entries", () => {
  expect(parseHostList(" youtube.com, ,localhost:8090,")).toEqual([
    { host: "youtube.com" },
    { host: "localhost", port: 8090 },
  ]);
  expect(parseHostList("")).toEqual([]);
  expect(() => parseHostList("youtube.com,two words")).toThrow(/"two words"/);
});
