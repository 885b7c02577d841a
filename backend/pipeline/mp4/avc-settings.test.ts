import { expect, it } from "vitest";
import { freeParameterId, joinSettings } from "./avc-settings.ts";

/** As x264 makes them, each with one set for sequences and one for pictures, whose number is in the name. */
const HIGH_0 = Buffer.from(
  "0164000affe100186764000aacd94426c044000003000400000300c83c48965801000668ebe3cb22c0fdf8f800",
  "hex",
);
const HIGH_1 = Buffer.from(
  "0164000affe100186764000a4b365109b011000003000100000300320f122596010006684abe3cb22cfdf8f800",
  "hex",
);
const HIGH_31 = Buffer.from(
  "0164000affe100196764000a040b365109b011000003000100000300320f12259601000868040082be3cb22cfdf8f800",
  "hex",
);
const MAIN_2 = Buffer.from("014d400affe10016674d400a7b2884d808800000030080000019078912cb010005686ebe3cb2", "hex");

it.each([
  ["0", HIGH_0, 1],
  ["1", HIGH_1, 0],
  ["31", HIGH_31, 0],
])("finds a number that settings with %s do not use", (_, settings, expected) => {
  expect(freeParameterId(settings)).toBe(expected);
});

it("joins settings, and can join more to them", () => {
  const both = joinSettings(HIGH_0, HIGH_1);
  expect(both?.length).toBe(HIGH_0.length + 2 + 0x18 + 2 + 6);
  expect(both && freeParameterId(both)).toBe(2);
  const all = both && joinSettings(both, HIGH_31);
  expect(all && freeParameterId(all)).toBe(2);
  for (const part of [HIGH_0, HIGH_1, HIGH_31]) expect(all?.includes(part.subarray(8, 8 + 0x18))).toBe(true);
});

it("states the higher level", () => {
  const higher = Buffer.from(HIGH_1);
  higher.writeUInt8(42, 3);
  expect(joinSettings(HIGH_0, higher)?.readUInt8(3)).toBe(42);
});

it("does not join settings that use the same number, or are of different profiles or lengths", () => {
  const shorter = Buffer.from(HIGH_1);
  shorter.writeUInt8(0xfd, 4);
  expect([HIGH_0, MAIN_2, shorter].map((other) => joinSettings(HIGH_0, other))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("does not read settings that are cut off", () => {
  for (let length = 0; length < HIGH_0.length - 4; length += 1)
    expect(() => joinSettings(HIGH_0.subarray(0, length), HIGH_1)).toThrow(RangeError);
});
