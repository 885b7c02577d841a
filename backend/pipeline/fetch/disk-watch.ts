/** Bounds what yt-dlp writes: it unpacks encoded media, so the bytes on disk can be a thousand times those received. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { NOT_READABLE } from "../errors/wording.ts";

/** A tool that unpacks writes up to about 30 MB in this time. Looking at the few files of a job takes 0.1 ms. */
const CHECK_MS = 100;
/** A segment is on disk twice while it is appended to the file. */
const COPIES = 2;
/** Allows for a tool that has written more of its input than the guard has counted. */
const MARGIN_BYTES = 1_000_000;

export interface DiskWatchOptions {
  readonly folder: string;
  /** Only files whose names begin with this are counted. */
  readonly prefix: string;
  readonly maxBytes: number;
  /** @returns the error for this size on disk */
  readonly tooLarge: (bytes: number) => ConversionError;
  /** Bytes that were received for these files, or more. */
  readonly bytesFetched: () => number;
}

export interface DiskWatch extends Disposable {
  /**
   * Aborts with ConversionError "unavailable" when the files are larger than what was received, whatever their size, and
   * with "too_large" when as much was received.
   */
  readonly exceeded: AbortSignal;
  /** Looks at the sizes now. @throws the reason of `exceeded` */
  check(): void;
}

/** Watches the sizes of files until disposed. */
export function watchDisk(options: DiskWatchOptions): DiskWatch {
  const controller = new AbortController();
  const check = (): void => {
    const bytes = bytesOnDisk(options);
    // First, because encoded media may pass both bounds between two checks, and no plan's limit lets it through.
    if (bytes > COPIES * options.bytesFetched() + MARGIN_BYTES)
      controller.abort(new ConversionError("unavailable", { ...NOT_READABLE, detail: "media that was encoded" }));
    else if (bytes > options.maxBytes) controller.abort(options.tooLarge(bytes));
  };
  const timer = setInterval(check, CHECK_MS);
  const checkNow = (): void => {
    check();
    controller.signal.throwIfAborted();
  };
  return { exceeded: controller.signal, check: checkNow, [Symbol.dispose]: () => clearInterval(timer) };
}

function bytesOnDisk({ folder, prefix }: DiskWatchOptions): number {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  // A temporary file may be removed between the two calls.
  const sizes = names.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
