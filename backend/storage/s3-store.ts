/** Stores finished files in S3-compatible storage. */
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import PQueue from "p-queue";
import { within } from "../../common/waiting.ts";
import { ConversionError } from "../../common/errors.ts";
import { RefusedFile, removeFile } from "../tool-files/tool-files.ts";
import {
  assertKey,
  isKey,
  NoSuchFileError,
  StoreUnavailableError,
  type ByteRange,
  type FileStore,
  type FileUpload,
  type LinkHeaders,
  type StoredFile,
} from "./file-store.ts";
import { createS3Client, isMissing, type S3Settings } from "./s3-client.ts";
import { S3ReadStream } from "./s3-read-stream.ts";
import { listUnfinishedUploads } from "./s3-unfinished-uploads.ts";
import { isNoSuchUpload, S3Upload, type S3Object } from "./s3-upload.ts";

/** Parts that all uploads of the process send at a time, so that they use at most 64 MB of memory. */
const PARTS_IN_MEMORY = 8;
/** MinIO answers a removal only when no one reads the object any more. */
const REMOVAL_TIMEOUT_MS = 5 * 60 * 1_000;
/** The caller waits this long for a removal, which usually takes a few milliseconds. */
const REMOVAL_WAIT_MS = 1_000;
/** Validity of a link, long enough for a download that is paused and resumed. The file may expire earlier. */
const LINK_SECONDS = 60 * 60;

/** Disposing of it closes its connections. */
export type S3Store = FileStore & Disposable;

/** Creates the store without a request to the storage; see `checkS3`. */
export function openS3Store(settings: S3Settings): S3Store {
  return new S3FileStore(settings);
}

class S3FileStore implements S3Store {
  readonly linkTo: FileStore["linkTo"];
  readonly #settings: S3Settings;
  readonly #client: S3Client;
  readonly #removalClient: S3Client;
  readonly #linkClient: S3Client | null;
  readonly #partQueue = new PQueue({ concurrency: PARTS_IN_MEMORY });
  /** Keys of own uploads, by upload id, that could not be aborted because the storage was unavailable. */
  readonly #abandoned = new Map<string, string>();

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#client = createS3Client(settings);
    this.#removalClient = createS3Client({ ...settings, timeoutMs: REMOVAL_TIMEOUT_MS });
    const linkClient = settings.downloads === "presigned" ? createS3Client(settings, settings.publicEndpoint) : null;
    this.#linkClient = linkClient;
    this.linkTo = linkClient ? (key, headers) => this.#sign(linkClient, key, headers) : undefined;
  }

  async put(key: string, localPath: string): Promise<void> {
    await using upload = this.beginUpload(key, localPath);
    await upload.finish();
  }

  beginUpload(key: string, localPath: string): FileUpload {
    const object = this.#objectOf(key);
    const upload = new S3Upload(
      {
        client: this.#client,
        object,
        partQueue: this.#partQueue,
        onAbandoned: (uploadId) => this.#abandoned.set(uploadId, object.Key),
      },
      localPath,
    );
    return {
      reportFinalBytes: (final) => upload.reportFinalBytes(final),
      finish: async () => {
        try {
          await this.#finishUpload(upload, object);
        } catch (error) {
          if (error instanceof RefusedFile) throw error;
          // If the local file is missing or unreadable, another attempt would not succeed.
          throw isLocalFileError(error)
            ? new ConversionError("storage", { cause: error, detail: String(error) })
            : new StoreUnavailableError(`store ${key}`, { cause: error });
        }
        await removeFile(localPath);
      },
      [Symbol.asyncDispose]: () => upload.abort(),
    };
  }

  async stat(key: string): Promise<StoredFile | null> {
    const object = this.#objectOf(key);
    try {
      const { ContentLength, LastModified } = await this.#client.send(new HeadObjectCommand(object));
      return { sizeBytes: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw new StoreUnavailableError(`look for ${key}`, { cause: error });
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const { body, lengthBytes } = await this.#openObject(key, range && `bytes=${range.start}-${range.end}`);
    const start = range?.start ?? 0;
    const end = start + lengthBytes - 1;
    return new S3ReadStream(body, { start, end }, async (from, signal) => {
      const rest = await this.#openObject(key, `bytes=${from}-${end}`, signal);
      return rest.body;
    });
  }

  async remove(key: string): Promise<void> {
    const removal = this.#removalClient.send(new DeleteObjectCommand(this.#objectOf(key)));
    try {
      // A failure after the wait leaves a stray file, which the sweeper removes.
      await within(REMOVAL_WAIT_MS, removal);
    } catch (error) {
      throw new StoreUnavailableError(`remove ${key}`, { cause: error });
    }
  }

  async *list(): AsyncGenerator<{ key: string; modifiedAt: Date }> {
    const { bucket, prefix } = this.#settings;
    try {
      for await (const page of paginateListObjectsV2(
        { client: this.#client },
        { Bucket: bucket, Prefix: prefix, Delimiter: "/" },
      ))
        for (const { Key, LastModified } of page.Contents ?? []) {
          const key = Key?.slice(prefix.length) ?? "";
          if (isKey(key)) yield { key, modifiedAt: LastModified ?? new Date() };
        }
    } catch (error) {
      throw new StoreUnavailableError("list its files", { cause: error });
    }
  }

  async clearUnfinished(minAgeMs: number): Promise<number> {
    try {
      let cleared = 0;
      // Own interrupted uploads are removed at any age.
      for (const [uploadId, objectKey] of this.#abandoned) {
        await this.#abortUpload(objectKey, uploadId);
        cleared += 1;
      }
      for (const { objectKey, uploadId, begunAt } of await listUnfinishedUploads(this.#client, this.#settings)) {
        if (Date.now() - begunAt.getTime() < minAgeMs) continue;
        await this.#abortUpload(objectKey, uploadId);
        cleared += 1;
      }
      return cleared;
    } catch (error) {
      throw new StoreUnavailableError("clear unfinished uploads", { cause: error });
    }
  }

  [Symbol.dispose](): void {
    for (const client of [this.#client, this.#removalClient, this.#linkClient]) client?.destroy();
  }

  /** @throws RangeError for a malformed key */
  #objectOf(key: string): S3Object {
    assertKey(key);
    return { Bucket: this.#settings.bucket, Key: `${this.#settings.prefix}${key}` };
  }

  async #finishUpload(upload: S3Upload, object: S3Object): Promise<void> {
    const sizeBytes = await upload.finish();
    const stored = await this.#client.send(new HeadObjectCommand(object));
    if (stored.ContentLength !== sizeBytes)
      throw new Error(`${stored.ContentLength} of ${sizeBytes} bytes were stored`);
  }

  /** @param range value of the `Range` header; undefined for the whole object */
  async #openObject(
    key: string,
    range: string | undefined,
    abortSignal?: AbortSignal,
  ): Promise<{ body: Readable; lengthBytes: number }> {
    const command = new GetObjectCommand({ ...this.#objectOf(key), Range: range });
    try {
      const answer = await this.#client.send(command, { abortSignal });
      if (!(answer.Body instanceof Readable)) throw new Error("the storage answered without a body");
      return { body: answer.Body, lengthBytes: answer.ContentLength ?? 0 };
    } catch (error) {
      throw isMissing(error)
        ? new NoSuchFileError(key, { cause: error })
        : new StoreUnavailableError(`open ${key}`, { cause: error });
    }
  }

  async #abortUpload(objectKey: string, uploadId: string): Promise<void> {
    try {
      await this.#client.send(
        new AbortMultipartUploadCommand({ Bucket: this.#settings.bucket, Key: objectKey, UploadId: uploadId }),
      );
    } catch (error) {
      // The upload was completed or aborted in the meantime.
      if (!isNoSuchUpload(error)) throw error;
    }
    this.#abandoned.delete(uploadId);
  }

  #sign(client: S3Client, key: string, { contentType, disposition }: LinkHeaders): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#objectOf(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: "private, no-cache",
    });
    return getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
  }
}

/** Whether reading the local file failed, and not the request to the storage. */
function isLocalFileError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    (error.syscall === "lstat" || error.syscall === "open" || error.syscall === "read") &&
    "path" in error
  );
}
