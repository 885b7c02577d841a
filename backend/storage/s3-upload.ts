/**
 * A file on its way to S3-compatible storage: in parts, each as soon as it will not change any more.
 * What could not be sent ahead is sent in the end, so that the storage may be away meanwhile.
 */
import { open, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import PQueue from "p-queue";
import type { FinalBytes } from "../../common/final-bytes.ts";

/** Each is held in memory while it is sent. The storage takes none below 5 MiB but the last. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Of one file. */
export const PARTS_AT_A_TIME = 4;
/** Taking back an upload is not waited for any longer; what becomes of it then is looked at by and by. */
const ABORT_PATIENCE_MS = 5_000;

export interface UploadTarget {
  readonly client: S3Client;
  readonly object: { readonly Bucket: string; readonly Key: string };
  /** Of the whole process: bounds what all uploads together hold in memory. */
  readonly sending: PQueue;
  /** An upload that was begun and could not be taken back now. */
  onAbandoned(uploadId: string): void;
}

/** One upload of the storage's, with what was sent of it. */
class Parts {
  readonly #target: UploadTarget;
  readonly #path: string;
  readonly #queue = new PQueue({ concurrency: PARTS_AT_A_TIME });
  readonly #abort = new AbortController();
  readonly #tags = new Map<number, Promise<string | undefined>>();
  #begun: Promise<string> | undefined;

  constructor(target: UploadTarget, path: string) {
    this.#target = target;
    this.#path = path;
  }

  get isBegun(): boolean {
    return this.#tags.size > 0;
  }

  /** Sends the n-th part, counted from 1, unless that was done. Its failure is met by `complete`. */
  send(n: number, lengthBytes: number): Promise<string | undefined> {
    const known = this.#tags.get(n);
    if (known) return known;
    const tag = this.#queue.add(() => {
      this.#abort.signal.throwIfAborted();
      return this.#target.sending.add(() => this.#upload(n, lengthBytes));
    });
    tag.catch(() => undefined);
    this.#tags.set(n, tag);
    return tag;
  }

  /** Sends what is missing, and what failed once more. @throws what the storage or our own disk throws */
  async complete(sizeBytes: number): Promise<void> {
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, async (_, index) => {
        const n = index + 1;
        const lengthBytes = Math.min(PART_BYTES, sizeBytes - index * PART_BYTES);
        const wasSent = this.#tags.has(n);
        const ETag = await this.send(n, lengthBytes).catch((error: unknown) => {
          if (!wasSent) throw error;
          this.#tags.delete(n);
          return this.send(n, lengthBytes);
        });
        return { PartNumber: n, ETag };
      }),
    );
    const { client, object } = this.#target;
    await client.send(
      new CompleteMultipartUploadCommand({
        ...object,
        UploadId: await this.#begin(),
        MultipartUpload: { Parts: parts },
      }),
    );
    this.#tags.clear();
    this.#begun = undefined;
  }

  /** Takes back what was sent. Never rejects. */
  async abort(): Promise<void> {
    this.#abort.abort(new Error("the upload was given up"));
    await Promise.allSettled(this.#tags.values());
    const uploadId = await this.#begun?.catch(() => undefined);
    if (uploadId === undefined) return;
    const { client, object } = this.#target;
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId })).catch((error: unknown) => {
      if (!isNoUpload(error)) this.#target.onAbandoned(uploadId);
    });
  }

  async #upload(n: number, lengthBytes: number): Promise<string | undefined> {
    const { signal } = this.#abort;
    signal.throwIfAborted();
    const uploadId = await this.#begin();
    const Body = await readPart(this.#path, (n - 1) * PART_BYTES, lengthBytes);
    const { client, object } = this.#target;
    const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId: uploadId, PartNumber: n, Body }), {
      abortSignal: signal,
    });
    return ETag;
  }

  #begin(): Promise<string> {
    if (this.#begun) return this.#begun;
    const { client, object } = this.#target;
    const begun = client.send(new CreateMultipartUploadCommand(object)).then(({ UploadId }) => {
      if (UploadId === undefined) throw new Error("the storage began an upload without a name");
      return UploadId;
    });
    this.#begun = begun;
    begun.catch(() => {
      // Another part tries again.
      if (this.#begun === begun) this.#begun = undefined;
    });
    return begun;
  }
}

export class S3Upload {
  readonly #target: UploadTarget;
  readonly #path: string;
  #parts: Parts;
  readonly #givenUp = new Set<Promise<void>>();

  constructor(target: UploadTarget, path: string) {
    this.#target = target;
    this.#path = path;
    this.#parts = new Parts(target, path);
  }

  /** See {@link Incoming}. */
  grown(final: FinalBytes | null): void {
    if (final === null) {
      // In an upload of its own: what is still under way must not arrive after what replaces it.
      if (this.#parts.isBegun) this.#startAnew();
      return;
    }
    const first = Math.ceil(final.from / PART_BYTES) + 1;
    const last = Math.floor(final.to / PART_BYTES);
    for (let n = first; n <= last; n += 1) void this.#parts.send(n, PART_BYTES).catch(() => undefined);
  }

  /** @returns the size of what is now stored @throws what the storage or our own disk throws */
  async finish(): Promise<number> {
    const { size } = await stat(this.#path);
    try {
      await this.#send(size);
    } catch (error) {
      if (!isNoUpload(error)) throw error;
      // Somebody took it for one that nobody is at work on any more.
      this.#startAnew();
      await this.#send(size);
    }
    return size;
  }

  /** Takes back what was not finished. Never rejects. */
  async abort(): Promise<void> {
    this.#startAnew();
    const patience = new AbortController();
    try {
      await Promise.race([
        Promise.all(this.#givenUp),
        delay(ABORT_PATIENCE_MS, undefined, { signal: patience.signal }),
      ]);
    } finally {
      patience.abort();
    }
  }

  async #send(sizeBytes: number): Promise<void> {
    if (this.#parts.isBegun || sizeBytes > PART_BYTES) return this.#parts.complete(sizeBytes);
    const { client, object, sending } = this.#target;
    await sending.add(async () =>
      client.send(new PutObjectCommand({ ...object, Body: await readPart(this.#path, 0, sizeBytes) })),
    );
  }

  #startAnew(): void {
    const ended = this.#parts.abort().finally(() => this.#givenUp.delete(ended));
    this.#givenUp.add(ended);
    this.#parts = new Parts(this.#target, this.#path);
  }
}

async function readPart(path: string, start: number, lengthBytes: number): Promise<Buffer> {
  await using file = await open(path, "r");
  const bytes = Buffer.allocUnsafe(lengthBytes);
  let got = 0;
  while (got < lengthBytes) {
    // oxlint-disable-next-line no-await-in-loop -- a read may return less than it was asked for
    const { bytesRead } = await file.read(bytes, got, lengthBytes - got, start + got);
    if (bytesRead === 0) throw new Error(`${path} ends after ${start + got} bytes`);
    got += bytesRead;
  }
  return bytes;
}

/** Whether the storage knows the upload no more: finished, or taken back. */
export function isNoUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === "NoSuchUpload";
}
