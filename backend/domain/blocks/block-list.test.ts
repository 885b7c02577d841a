import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import type { BlockKind } from "../../../common/block-kinds.ts";
import { BlockList } from "./block-list.ts";
import { NetworkTable } from "./network-table.ts";

const YOUTUBE = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const refused: BlockKind[] = [];

function listOf(...entries: [kind: BlockKind, value: string, until?: Date][]): BlockList {
  refused.length = 0;
  const list = new BlockList((kind) => refused.push(kind));
  list.replace(entries.map(([kind, value, until = null]) => ({ kind, value, until })));
  return list;
}
const codeOf = (call: () => void): unknown => {
  try {
    call();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return null;
};

describe("a blocked video", () => {
  it("is known from its link at YouTube, and from its extraction elsewhere", () => {
    const list = listOf(["video", "youtube:dQw4w9WgXcQ"], ["video", "vimeo:7"]);
    expect(codeOf(() => list.requireLink(YOUTUBE))).toBe("blocked");
    expect(codeOf(() => list.requireLink(`${YOUTUBE.slice(0, -1)}R`))).toBeNull();
    const origin = { channelIds: [], hosts: ["vimeo.example"] };
    expect(codeOf(() => list.requireVideo("https://short.example/7", { ...origin, videoId: "vimeo:7" }))).toBe(
      "blocked",
    );
    expect(codeOf(() => list.requireVideo("https://short.example/7", { ...origin, videoId: "vimeo:70" }))).toBeNull();
    expect(refused).toEqual(["video", "video"]);
  });
});

it("a blocked channel is known from the extraction, by its id or its name", () => {
  const list = listOf(["channel", "youtube:@name"]);
  expect(codeOf(() => list.requireLink(YOUTUBE))).toBeNull();
  const channelIds = ["youtube:UCabcdefghijklmnopqrstuv", "youtube:@name"];
  expect(codeOf(() => list.requireVideo(YOUTUBE, { channelIds, hosts: [] }))).toBe("blocked");
  expect(codeOf(() => list.requireVideo(YOUTUBE, { channelIds: channelIds.slice(0, 1), hosts: [] }))).toBeNull();
});

it.each([
  ["videos.example", true],
  ["cdn.videos.example", true],
  ["a.b.videos.example", true],
  ["othervideos.example", false],
  ["example", false],
  ["videos.example.org", false],
  ["203.0.113.7", true],
  ["1.203.0.113.7", false],
])("a host is blocked with its subdomains: %s %s", (host, isBlocked) => {
  const list = listOf(["host", "videos.example"], ["host", "203.0.113.7"]);
  expect(list.refusesHost(host)).toBe(isBlocked);
  expect(codeOf(() => list.requireLink(`http://${host}/watch`))).toBe(isBlocked ? "blocked" : null);
  expect(codeOf(() => list.requireVideo(YOUTUBE, { channelIds: [], hosts: [host] }))).toBe(
    isBlocked ? "blocked" : null,
  );
});

it.each([
  ["203.0.112.255", false],
  ["203.0.113.0", true],
  ["203.0.113.255", true],
  ["::ffff:203.0.113.9", true],
  ["203.0.114.0", false],
  ["198.51.100.63", false],
  ["198.51.100.64", true],
  ["198.51.100.127", true],
  ["198.51.100.128", false],
  ["2001:db8:0:1::", true],
  ["2001:db8:0:1:ffff:ffff:ffff:ffff", true],
  ["2001:db8:0:2::", false],
  ["no address", false],
  ["", false],
])("a network is blocked to its borders: %s %s", (address, isBlocked) => {
  const list = listOf(["network", "203.0.113.0/24"], ["network", "198.51.100.64/26"], ["network", "2001:db8:0:1::/64"]);
  expect(codeOf(() => list.requireNetwork(address))).toBe(isBlocked ? "access_blocked" : null);
  expect(list.isVisitorBlocked(undefined, address)).toBe(isBlocked);
});

it("a user is blocked by id or address, a device by its id", () => {
  const list = listOf(["user", "u1"], ["user", "a@b.example"], ["device", "d1"]);
  const viewer = (deviceId: string, userId: string | null, email?: string) =>
    codeOf(() => list.requireViewer({ deviceId, userId, ...(email === undefined ? {} : { email }) }));
  expect([viewer("d2", "u1"), viewer("d2", "u2", "A@b.example"), viewer("d1", null)]).toEqual([
    "access_blocked",
    "access_blocked",
    "access_blocked",
  ]);
  expect([viewer("d2", "u2", "b@b.example"), viewer("d2", null), viewer("u1", null)]).toEqual([null, null, null]);
  expect(refused).toEqual(["user", "user", "device"]);
  list.replace([{ kind: "user", value: "a@b.example", until: null }], new Map([["u3", "a@b.example"]]));
  const job = { sourceUrl: YOUTUBE, subjects: [], deviceId: "d2" };
  expect(list.refusalOf({ ...job, userId: "u3" })).toMatchObject({ code: "blocked", message: /your network/ });
  expect(list.refusalOf({ ...job, userId: "u4" })).toBeUndefined();
});

it("an entry is in force until its time, and no longer", () => {
  const past = new Date(Date.now() - 1);
  const future = new Date(Date.now() + 60_000);
  for (const [until, code] of [
    [past, null],
    [future, "access_blocked"],
  ] as const)
    for (const [kind, value] of [
      ["device", "d1"],
      ["network", "203.0.113.0/24"],
    ] as const) {
      const list = listOf([kind, value, until]);
      const ask = () => (kind === "device" ? list.requireDevice("d1") : list.requireNetwork("203.0.113.1"));
      expect(codeOf(ask)).toBe(code);
    }
  // A wider network stays in force after a narrower one has ended.
  const list = listOf(["network", "203.0.113.0/24", past], ["network", "203.0.0.0/16"]);
  expect(codeOf(() => list.requireNetwork("203.0.113.1"))).toBe("access_blocked");
});

it("tells its listeners of changes until they leave", () => {
  const list = new BlockList();
  let changes = 0;
  const leave = list.onChange(() => (changes += 1));
  list.replace([]);
  leave();
  list.replace([]);
  expect(changes).toBe(1);
});

it("the table of networks finds what a comparison with each network finds", () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: 4, maxLength: 4 });
  const network = fc.tuple(bytes, fc.integer({ min: 1, max: 32 })).map(([address, bits]) => {
    const base = ipaddr.IPv4.networkAddressFromCIDR(`${address.join(".")}/${bits}`);
    return `${base.toString()}/${bits}`;
  });
  fc.assert(
    fc.property(fc.uniqueArray(network, { maxLength: 30 }), bytes, (networks, address) => {
      const table = new NetworkTable<string>();
      for (const one of networks) table.add(one, one);
      const parsed = ipaddr.IPv4.parse(address.join("."));
      const expected = networks.filter((one) => parsed.match(ipaddr.IPv4.parseCIDR(one)));
      expect(table.find(parsed.toString()).toSorted()).toEqual(expected.toSorted());
    }),
  );
});
