/**
 * Uploads a file to S3-compatible storage while it is being written, each part as soon as its bytes are final. Parts
 * that could not be sent early are sent at the end, so an outage of the storage in between does no harm.
 *
 * `Upload` of @aws-sdk/lib-storage was weighed: it reads a stream in order, but we write the beginning of a file last.
 */
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
import { within } from "../../common/waiting.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { openFile, sizeOf } from "../tool-files/tool-files.ts";

/** Size of a part, which is in memory while it is sent. S3 requires at least 5 MiB, except for the last part. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Parts of one file that are sent at a time. */
export const PARTS_AT_A_TIME = 4;
/** Longest wait for the abort of an upload. If it fails later, `clearUnfinished` removes the upload. */
const ABORT_WAIT_MS = 5_000;

/** Bucket and key, as the SDK's commands name them. */
export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

export interface UploadTarget {
  readonly client: S3Client;
  readonly object: S3Object;
  /** Shared by all uploads of the process, to limit the parts in memory. */
  readonly partQueue: PQueue;
  /** Called when an upload could not be aborted. */
  onAbandoned(uploadId: string): void;
}

/** One multipart upload of the storage and the parts that were sent. */
class MultipartUpload {
  readonly #target: UploadTarget;
  readonly #path: string;
  readonly #queue = new PQueue({ concurrency: PARTS_AT_A_TIME });
  readonly #abort = new AbortController();
  /** The ETag of each part, by part number from 1. */
  readonly #tags = new Map<number, Promise<string | undefined>>();
  #uploadId: Promise<string> | undefined;

  constructor(target: UploadTarget, path: string) {
    this.#target = target;
    this.#path = path;
  }

  get hasParts(): boolean {
    return this.#tags.size > 0;
  }

  /**
   * Sends a part, unless it was sent before. `complete` retries a part that failed.
   * @param n number of the part, from 1
   * @returns the ETag
   */
  send(n: number, lengthBytes: number): Promise<string | undefined> {
    const known = this.#tags.get(n);
    if (known) return known;
    const tag = this.#queue.add(() => {
      this.#abort.signal.throwIfAborted();
      return this.#target.partQueue.add(() => this.#upload(n, lengthBytes));
    });
    tag.catch(() => undefined);
    this.#tags.set(n, tag);
    return tag;
  }

  /**
   * Sends the missing parts, retries failed ones once, and completes the upload.
   * @throws errors of the SDK or of the file system
   */
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
    this.#uploadId = undefined;
  }

  /** Stops sending and aborts the upload. Never rejects. */
  async abort(): Promise<void> {
    this.#abort.abort(new Error("the upload was aborted"));
    await Promise.allSettled(this.#tags.values());
    const uploadId = await this.#uploadId?.catch(() => undefined);
    if (uploadId === undefined) return;
    const { client, object } = this.#target;
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId })).catch((error: unknown) => {
      if (!isNoSuchUpload(error)) this.#target.onAbandoned(uploadId);
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
    if (this.#uploadId) return this.#uploadId;
    const { client, object } = this.#target;
    const begun = client.send(new CreateMultipartUploadCommand(object)).then(({ UploadId }) => {
      if (UploadId === undefined) throw new Error("the storage returned no upload id");
      return UploadId;
    });
    this.#uploadId = begun;
    begun.catch(() => {
      // The next part begins the upload again.
      if (this.#uploadId === begun) this.#uploadId = undefined;
    });
    return begun;
  }
}

/** The upload of one file; restarts with a new multipart upload when the file is rewritten. */
export class S3Upload {
  readonly #target: UploadTarget;
  readonly #path: string;
  #parts: MultipartUpload;
  readonly #aborts = new Set<Promise<void>>();

  constructor(target: UploadTarget, path: string) {
    this.#target = target;
    this.#path = path;
    this.#parts = new MultipartUpload(target, path);
  }

  /** See `FileUpload` in file-store.ts. */
  reportFinalBytes(final: FinalBytes | null): void {
    if (final === null) {
      // A new upload, so that an old part cannot arrive after the part that replaces it.
      if (this.#parts.hasParts) this.#restart();
      return;
    }
    const first = Math.ceil(final.from / PART_BYTES) + 1;
    const last = Math.floor(final.to / PART_BYTES);
    for (let n = first; n <= last; n += 1) void this.#parts.send(n, PART_BYTES).catch(() => undefined);
  }

  /**
   * @returns the size of the stored file in bytes
   * @throws errors of the SDK or of the file system
   */
  async finish(): Promise<number> {
    const size = await sizeOf(this.#path);
    try {
      await this.#send(size);
    } catch (error) {
      if (!isNoSuchUpload(error)) throw error;
      // Another process has removed the upload as unfinished.
      this.#restart();
      await this.#send(size);
    }
    return size;
  }

  /** Aborts the upload if it was not finished. Never rejects. */
  async abort(): Promise<void> {
    this.#restart();
    await within(ABORT_WAIT_MS, Promise.all(this.#aborts));
  }

  async #send(sizeBytes: number): Promise<void> {
    if (this.#parts.hasParts || sizeBytes > PART_BYTES) return this.#parts.complete(sizeBytes);
    const { client, object, partQueue } = this.#target;
    await partQueue.add(async () =>
      client.send(new PutObjectCommand({ ...object, Body: await readPart(this.#path, 0, sizeBytes) })),
    );
  }

  #restart(): void {
    const aborting = this.#parts.abort().finally(() => this.#aborts.delete(aborting));
    this.#aborts.add(aborting);
    this.#parts = new MultipartUpload(this.#target, this.#path);
  }
}

async function readPart(path: string, start: number, lengthBytes: number): Promise<Buffer> {
  await using file = await openFile(path);
  const bytes = Buffer.allocUnsafe(lengthBytes);
  let readBytes = 0;
  while (readBytes < lengthBytes) {
    // A read may return fewer bytes than requested.
    const { bytesRead } = await file.read(bytes, readBytes, lengthBytes - readBytes, start + readBytes);
    if (bytesRead === 0) throw new Error(`${path} ends after ${start + readBytes} bytes`);
    readBytes += bytesRead;
  }
  return bytes;
}

/** Whether the error says that the upload does not exist, because it was completed or aborted. */
export function isNoSuchUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === "NoSuchUpload";
}
