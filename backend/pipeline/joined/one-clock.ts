/**
 * Gives a transport stream one clock where it has several, one behind the other, such as that of a video and that of an
 * advertisement in it. ffmpeg meets the first sound of a piece before the last picture of the piece before, and takes the
 * one jump back for two. Pieces are not split into files, as those of MP4 lists are: some lists end a piece before each
 * segment, and a tool would be started for each.
 */
import type { FileHandle } from "node:fs/promises";
import { ConversionError } from "../../../common/errors.ts";
import { openToChange, readAt } from "../../tool-files/tool-files.ts";
import { TOO_MANY_PIECES } from "../errors/wording.ts";
import { findTimes, PACKET_BYTES, pidOf, shiftTimes, SYNC_BYTE, ticksAt } from "../transport/packet-times.ts";
import { ClockRun, type MeasuredRun } from "./clock-run.ts";

/** As many segments as a playlist may have. */
const MAX_RUNS = 10_000;
const WINDOW_BYTES = 4_096 * PACKET_BYTES;
/** A segment begins with the table of programs. */
const PROGRAMS_PID = 0;

/**
 * Changes the times of a complete file, in place. Another kind of file stays as it is.
 * @throws ConversionError "too_large" for more than {@link MAX_RUNS} clocks; `signal.reason` when aborted
 */
export async function giveOneClock(path: string, signal: AbortSignal): Promise<void> {
  await using file = await openToChange(path);
  const head = await readAt(file, 0, PACKET_BYTES + 1);
  if (head[0] !== SYNC_BYTE || head[PACKET_BYTES] !== SYNC_BYTE) return;
  const runs = await findRuns(file, signal);
  if (runs.length > 1) await joinRuns(file, runs, signal);
}

async function findRuns(file: FileHandle, signal: AbortSignal): Promise<readonly MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  // The others are only kept as measured: a hostile file has thousands of streams in each.
  let current: ClockRun | undefined;
  /** Of a table behind which nothing stands yet of the clock before it. */
  let tableStart: number | undefined;
  await eachPacket(file, signal, (packet, position) => {
    if (pidOf(packet) === PROGRAMS_PID) tableStart = position;
    const found = findTimes(packet);
    if (found?.shownAt === undefined) return false;
    const { shownAt, decodedAt = shownAt } = found;
    const times = { ...found, shown: ticksAt(packet, shownAt), decoded: ticksAt(packet, decodedAt) };
    const said = current?.add(times) ?? "other clock";
    if (said === "same clock") tableStart = undefined;
    if (said !== "other clock") return false;
    const start = tableStart ?? position;
    tableStart = undefined;
    if (current) runs.push(current.measure());
    if (runs.length >= MAX_RUNS)
      throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: `more than ${MAX_RUNS} clocks` });
    current = new ClockRun(start, times);
    return false;
  });
  return current ? [...runs, current.measure()] : runs;
}

/** Begins each run where the one before it ends. */
async function joinRuns(file: FileHandle, runs: readonly MeasuredRun[], signal: AbortSignal): Promise<void> {
  let next = 0;
  let shift = 0;
  let end = runs[0]?.begin ?? 0;
  await eachPacket(file, signal, (packet, position) => {
    for (let run = runs[next]; run && position >= run.start; run = runs[next]) {
      shift = end - run.begin;
      end += run.length;
      next += 1;
    }
    const times = shift === 0 ? undefined : findTimes(packet);
    if (times) shiftTimes(packet, times, shift);
    return times !== undefined;
  });
}

/** @param onPacket called with those that may have times or tables; returns whether it has changed the packet */
async function eachPacket(
  file: FileHandle,
  signal: AbortSignal,
  onPacket: (packet: Buffer, position: number) => boolean,
): Promise<void> {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(window, 0, WINDOW_BYTES, position);
    let isChanged = false;
    let offset = 0;
    while (offset + PACKET_BYTES <= bytesRead) {
      const next = offset + PACKET_BYTES;
      const isPacket = window[offset] === SYNC_BYTE && (next >= bytesRead || window[next] === SYNC_BYTE);
      const isStart = ((window[offset + 1] ?? 0) & 0x40) !== 0;
      const hasExtra = ((window[offset + 3] ?? 0) & 0x20) !== 0;
      if (isPacket && (isStart || hasExtra))
        isChanged = onPacket(window.subarray(offset, offset + PACKET_BYTES), position + offset) || isChanged;
      // Behind a segment that is cut off the packets begin elsewhere.
      offset = isPacket ? next : offset + 1;
    }
    if (offset === 0) return;
    if (isChanged) await file.write(window, 0, offset, position);
    position += offset;
  }
}
