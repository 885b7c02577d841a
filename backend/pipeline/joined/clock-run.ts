/** The times in a piece of a transport stream that has one clock. Pure. */
import { TICKS_PER_SECOND, ticksBetween, type TimesOfPacket } from "../transport/packet-times.ts";

/** The times of decoding of a stream never go back; ffmpeg forgives as much. */
const MOST_BACK_TICKS = TICKS_PER_SECOND / 10;
/** What ffmpeg takes for another clock. A shorter hole is one of the recording. */
const FAR_TICKS = 10 * TICKS_PER_SECOND;

/** Of a packet, in ticks of the clock. */
export interface PacketTimes extends Pick<TimesOfPacket, "pid" | "kind" | "bytes"> {
  readonly shown: number;
  readonly decoded: number;
}

/** In ticks from the first packet of the run. */
interface StreamTimes {
  readonly kind: PacketTimes["kind"];
  readonly firstDecoded: number;
  lastDecoded: number;
  firstShown: number;
  lastShown: number;
  count: number;
  bytesBefore: number;
  lastBytes: number;
}

/**
 * A packet of pictures has one, and all are taken to be as long. One of sound has several frames, the last one as many as
 * are left.
 * @returns how long the last packet is
 */
function lastTicks({ kind, count, bytesBefore, lastBytes, ...times }: StreamTimes): number {
  const ticks = times.lastDecoded - times.firstDecoded;
  if (kind === "sound" && bytesBefore > 0) return Math.round((ticks * lastBytes) / bytesBefore);
  return Math.round(ticks / Math.max(1, count - 1));
}

export interface MeasuredRun {
  /** Its first byte in the file. */
  readonly start: number;
  /** Time of its clock at which it begins. */
  readonly begin: number;
  /** In ticks. */
  readonly length: number;
}

export class ClockRun {
  readonly #start: number;
  readonly #base: number;
  readonly #streams = new Map<number, StreamTimes>();
  /** Of all streams: one of texts may be silent for minutes. */
  #newest = 0;

  /** @param start its first byte in the file */
  constructor(start: number, first: PacketTimes) {
    this.#start = start;
    this.#base = first.decoded;
    this.add(first);
  }

  /** @returns what a packet says of the clock: little where its stream is new in the run */
  add({ pid, kind, bytes, ...times }: PacketTimes): "same clock" | "other clock" | "new stream" {
    const decoded = ticksBetween(this.#base, times.decoded);
    const shown = ticksBetween(this.#base, times.shown);
    const known = this.#streams.get(pid);
    const oldest = known ? known.lastDecoded - MOST_BACK_TICKS : this.#newest - FAR_TICKS;
    if (decoded < oldest || decoded > this.#newest + FAR_TICKS) return "other clock";
    this.#newest = Math.max(this.#newest, decoded);
    if (!known) {
      const first = { firstDecoded: decoded, lastDecoded: decoded, firstShown: shown, lastShown: shown };
      this.#streams.set(pid, { kind, ...first, count: 1, bytesBefore: 0, lastBytes: bytes });
      return "new stream";
    }
    known.lastDecoded = decoded;
    known.firstShown = Math.min(known.firstShown, shown);
    known.lastShown = Math.max(known.lastShown, shown);
    known.count += 1;
    known.bytesBefore += known.lastBytes;
    known.lastBytes = bytes;
    return "same clock";
  }

  /** @returns where it is, by its pictures and sound */
  measure(): MeasuredRun {
    const streams = [...this.#streams.values()];
    const played = streams.filter(({ kind, count }) => kind !== "other" && count > 1);
    const counted = played.length > 0 ? played : streams;
    const begin = Math.min(...counted.map(({ firstShown }) => firstShown));
    const end = Math.max(...counted.map((stream) => stream.lastShown + lastTicks(stream)));
    return { start: this.#start, begin: this.#base + begin, length: end - begin };
  }
}
