import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { giveOneClock } from "./one-clock.ts";
import { findTimes, PACKET_BYTES, pidOf, shiftTimes, ticksAt, ticksBetween } from "../transport/packet-times.ts";

const SECOND = 90_000;
const SOUND = 0x101;
const PICTURE = 0x100;
const TEXT = 0x102;
/** A read of the file has as many packets. */
const WINDOW_PACKETS = 4_096;

const bytesOf = (...start: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(PACKET_BYTES - start.length, 0xaa)]);
const TABLE = bytesOf(0x47, 0x40, 0, 0x10, 0, 0, 0xb0, 0x0d);
const MORE_MEDIA = bytesOf(0x47, 0x01, 0, 0x10);

function media(pid: number, seconds: number, bytes = 0): Buffer {
  const stream = pid === SOUND ? 0xc0 : 0xe0;
  const packet = bytesOf(0x47, 0x41, pid & 0xff, 0x10, 0, 0, 1, stream, 0, bytes, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1);
  const times = findTimes(packet);
  if (times) shiftTimes(packet, times, Math.round(seconds * SECOND));
  return packet;
}

/** Packets of a picture, one second after the other. */
const pictures = (...seconds: readonly number[]): Buffer[] => [TABLE, ...seconds.map((at) => media(PICTURE, at))];

const folder = await testFolder();
const never = new AbortController().signal;

/** @returns its times afterwards, in seconds, by stream */
async function oneClock(...packets: readonly Buffer[]): Promise<Record<number, number[]>> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, Buffer.concat(packets));
  await giveOneClock(path, never);
  const bytes = await readFile(path);
  const found: Record<number, number[]> = {};
  let offset = 0;
  while (offset + PACKET_BYTES <= bytes.length) {
    const packet = bytes.subarray(offset, offset + PACKET_BYTES);
    const shownAt = packet[0] === 0x47 ? findTimes(packet)?.shownAt : undefined;
    // A time before the beginning is that of a clock that is about to end.
    if (shownAt !== undefined) (found[pidOf(packet)] ??= []).push(ticksBetween(0, ticksAt(packet, shownAt)) / SECOND);
    offset += packet[0] === 0x47 ? PACKET_BYTES : 1;
  }
  return found;
}

it.each([
  ["clocks that begin anew", [5, 6, 7], [0, 1, 2], [5, 6, 7, 8, 9, 10]],
  ["a clock that is ahead", [0, 1, 2], [100, 101], [0, 1, 2, 3, 4]],
  ["a clock that ends", [-2, -1, 0], [1, 2], [-2, -1, 0, 1, 2]],
  ["a hole of ten seconds in the recording", [0, 1], [11, 12], [0, 1, 11, 12]],
  ["more than ten seconds", [0, 1], [11.1, 12.1], [0, 1, 2, 3]],
  ["what is a tenth of a second early", [0, 1], [0.9, 2], [0, 1, 0.9, 2]],
  ["more than a tenth", [0, 1], [0.8, 1.8], [0, 1, 2, 3]],
])("follows %s", async (_, first, second, expected) => {
  expect(await oneClock(...pictures(...first), ...pictures(...second))).toEqual({ [PICTURE]: expected });
});

it("keeps sound beside its picture, and counts from the end of the longer one", async () => {
  const sound = [0.5, 1, 1.5, 2, 2.5].map((at) => media(SOUND, at));
  const first = [...pictures(0, 1), ...sound];
  const second = [TABLE, media(SOUND, 0.25), media(PICTURE, 0), media(SOUND, 0.75), media(PICTURE, 1)];
  expect(await oneClock(...first, ...second)).toEqual({
    [PICTURE]: [0, 1, 3, 4],
    [SOUND]: [0.5, 1, 1.5, 2, 2.5, 3.25, 3.75],
  });
});

it("takes a last packet with fewer bytes of sound for a shorter one", async () => {
  const sound = (...sizes: readonly number[]): Buffer[] => [
    TABLE,
    ...sizes.map((bytes, second) => media(SOUND, second, bytes)),
  ];
  expect(await oneClock(...sound(100, 100, 25), ...sound(100, 100))).toEqual({ [SOUND]: [0, 1, 2, 2.25, 3.25] });
});

it("joins an advertisement without sound", async () => {
  const withSound = (from: number): Buffer[] => [
    ...pictures(from, from + 1),
    media(SOUND, from),
    media(SOUND, from + 1),
  ];
  expect(await oneClock(...withSound(0), ...pictures(0, 1, 2), ...withSound(1))).toEqual({
    [PICTURE]: [0, 1, 2, 3, 4, 5, 6],
    [SOUND]: [0, 1, 5, 6],
  });
});

it("takes no silence of a text, or of a sound, for another clock", async () => {
  const text = (seconds: number): Buffer => {
    const packet = media(PICTURE, seconds);
    packet.writeUInt8(TEXT & 0xff, 2);
    packet.writeUInt8(0xbd, 7);
    return packet;
  };
  const second = (at: number): Buffer[] => [TABLE, media(PICTURE, at)];
  const seconds = Array.from({ length: 13 }, (_, at) => at);
  const packets = [text(0), media(SOUND, 0), ...seconds.flatMap(second), text(12), media(SOUND, 12)];
  expect(await oneClock(...packets)).toEqual({ [PICTURE]: seconds, [SOUND]: [0, 12], [TEXT]: [0, 12] });
});

it("joins a piece with other streams, whose clock is ahead", async () => {
  const other = [TABLE, media(SOUND, 1_000), media(SOUND, 1_001)];
  expect(await oneClock(...pictures(0, 1), ...other, ...pictures(2, 3))).toEqual({
    [PICTURE]: [0, 1, 4, 5],
    [SOUND]: [2, 3],
  });
});

it("begins a piece before a stream that is new in it", async () => {
  const second = [TABLE, media(SOUND, 0), media(PICTURE, 0), media(SOUND, 1), media(PICTURE, 1)];
  expect(await oneClock(...pictures(0, 1, 2), ...second)).toEqual({ [PICTURE]: [0, 1, 2, 3, 4], [SOUND]: [3, 4] });
});

it("finds packets behind a piece that is cut off, and over the border of two reads", async () => {
  const cutOff = MORE_MEDIA.subarray(0, 100);
  const filler = Array.from({ length: WINDOW_PACKETS - 4 }, () => MORE_MEDIA);
  for (const count of [0, 1, 2]) {
    const many = filler.slice(count);
    expect(await oneClock(...pictures(0, 1), ...many, cutOff, ...pictures(0, 1))).toEqual({ [PICTURE]: [0, 1, 2, 3] });
  }
});

it("leaves another kind of file as it is, and one that is too short", async () => {
  const path = join(folder, "other");
  for (const bytes of [Buffer.from("ftypmp42".padEnd(400)), TABLE, Buffer.alloc(0)]) {
    await writeFile(path, bytes);
    await giveOneClock(path, never);
    expect(await readFile(path)).toEqual(bytes);
  }
});

it("refuses more clocks than a playlist has segments", async () => {
  const path = join(folder, "many");
  const runs = (count: number): Buffer[] => Array.from({ length: count }, (_, run) => media(PICTURE, run % 2 ? 0 : 50));
  await writeFile(path, Buffer.concat([TABLE, ...runs(10_000)]));
  await expect(giveOneClock(path, never)).resolves.toBeUndefined();
  await writeFile(path, Buffer.concat([TABLE, ...runs(10_001)]));
  await expect(giveOneClock(path, never)).rejects.toMatchObject({ code: "too_large" });
});
