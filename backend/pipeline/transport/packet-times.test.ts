import { expect, it } from "vitest";
import { findTimes, PACKET_BYTES, shiftTimes, ticksAt, ticksBetween } from "./packet-times.ts";

const WRAP = 2 ** 33;

/** As the standard writes it: three thirds, each followed by a 1. */
function timeBytes(prefix: number, ticks: number): Buffer {
  const bits = BigInt(ticks);
  const value =
    (BigInt(prefix) << 36n) |
    ((bits >> 30n) << 33n) |
    (1n << 32n) |
    (((bits >> 15n) & 0x7fffn) << 17n) |
    (1n << 16n) |
    ((bits & 0x7fffn) << 1n) |
    1n;
  return Buffer.from(value.toString(16).padStart(10, "0"), "hex");
}

interface Given {
  readonly clock?: number;
  readonly shown?: number;
  readonly decoded?: number;
  readonly stream?: number;
  /** Of the field before the payload. */
  readonly extraBytes?: number;
}

function packet({ clock, shown, decoded, stream = 0xe0, extraBytes = 7 }: Given): Buffer {
  const header = Buffer.from([0x47, shown === undefined ? 0x01 : 0x41, 0x00, 0x30, extraBytes]);
  const extra = Buffer.alloc(extraBytes, 0xff);
  extra[0] = clock === undefined ? 0 : 0x10;
  if (clock !== undefined) {
    extra.writeUInt32BE(Math.floor(clock / 2), 1);
    extra[5] = ((clock % 2) << 7) | 0x7e;
  }
  const flags = decoded === undefined ? 0x80 : 0xc0;
  const times = decoded === undefined ? [timeBytes(2, shown ?? 0)] : [timeBytes(3, shown ?? 0), timeBytes(1, decoded)];
  const start =
    shown === undefined ? [] : [Buffer.from([0, 0, 1, stream, 0x01, 0x2c, 0x80, flags, 5 * times.length]), ...times];
  const bytes = Buffer.concat([header, extra, ...start]);
  return Buffer.concat([bytes, Buffer.alloc(PACKET_BYTES, 0xaa)]).subarray(0, PACKET_BYTES);
}

it.each([0, 1, 2 ** 15, 2 ** 30 - 1, 2 ** 30, WRAP - 1])("reads and moves the times of a packet: %d", (ticks) => {
  const given = packet({ clock: ticks, shown: ticks, decoded: ticks });
  const found = findTimes(given);
  if (!found) throw new TypeError("no times");
  expect([found.pid, found.kind]).toEqual([0x100, "picture"]);
  expect([ticksAt(given, found.shownAt ?? 0), ticksAt(given, found.decodedAt ?? 0)]).toEqual([ticks, ticks]);
  shiftTimes(given, found, 90_001);
  const moved = (ticks + 90_001) % WRAP;
  expect(given).toEqual(packet({ clock: moved, shown: moved, decoded: moved }));
  shiftTimes(given, found, -90_001);
  expect(given).toEqual(packet({ clock: ticks, shown: ticks, decoded: ticks }));
});

it.each([
  ["a clock alone", { clock: 5 }, { clockAt: 6 }],
  ["one time for both", { shown: 5 }, { shownAt: 21 }],
  ["a private stream, which may be text", { shown: 5, stream: 0xbd }, { shownAt: 21, kind: "other" }],
  ["sound", { shown: 5, stream: 0xc0 }, { shownAt: 21, kind: "sound", bytes: 300 }],
  ["the last place for one time", { shown: 5, extraBytes: PACKET_BYTES - 5 - 14 }, { shownAt: 183 }],
  ["the last place for two", { shown: 5, decoded: 5, extraBytes: PACKET_BYTES - 5 - 19 }, { decodedAt: 183 }],
])("finds %s", (_, given, expected) => {
  expect(findTimes(packet(given))).toMatchObject(expected);
});

it.each([
  ["neither clock nor beginning", {}],
  ["padding", { shown: 5, stream: 0xbe }],
  ["a time that goes on in the next packet", { shown: 5, extraBytes: PACKET_BYTES - 4 - 14 }],
  ["two that do", { shown: 5, decoded: 5, extraBytes: PACKET_BYTES - 4 - 19 }],
  ["a header that does", { shown: 5, extraBytes: PACKET_BYTES - 4 - 9 }],
])("finds no times in a packet with %s", (_, given) => {
  const found = findTimes(packet(given));
  expect([found?.clockAt, found?.shownAt, found?.decodedAt]).toEqual([undefined, undefined, undefined]);
});

it("finds no times in a packet that says it is damaged, and none outside of a packet", () => {
  const damaged = packet({ shown: 5 });
  damaged[1] = 0xc1;
  expect(findTimes(damaged)).toBeUndefined();
  const long = packet({ shown: 5 });
  long[4] = 0xff;
  expect(findTimes(long)?.shownAt).toBeUndefined();
});

it.each([
  [0, 5, 5],
  [5, 0, -5],
  [WRAP - 5, 5, 10],
  [5, WRAP - 5, -10],
])("counts the ticks from %d to %d over the end of the bits", (from, to, ticks) => {
  expect(ticksBetween(from, to)).toBe(ticks);
});
