import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { crc16 } from "./info-frame.ts";

it("computes the published check value of CRC-16/ARC", () => {
  // From the catalogue of parametrised CRC algorithms.
  expect(crc16(Buffer.from("123456789"))).toBe(0xbb3d);
});

it.each([1, 2, 3, 4, 5, 7, 8, 9, 1_000])("continues a checksum from an earlier value, cut at %i bytes", (cut) => {
  const bytes = randomBytes(1_003);
  expect(crc16(bytes.subarray(cut), crc16(bytes.subarray(0, cut)))).toBe(crc16(bytes));
});
