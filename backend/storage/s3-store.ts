/** Finished files in S3-compatible storage. */
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
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
import { ConversionError } from "../../common/errors.ts";
import {
  assertKey,
  isKey,
  NoSuchFileError,
  StoreUnavailableError,
  type ByteRange,
  type FileStore,
  type Incoming,
} from "./file-store.ts";
import { createS3Client, isMissing, type S3Settings } from "./s3-client.ts";
import { S3Reading } from "./s3-reading.ts";
import { listUnfinished } from "./s3-unfinished.ts";
import { isNoUpload, S3Upload } from "./s3-upload.ts";

/** Of one process, so that its uploads hold 64 MB at most. */
const PARTS_IN_MEMORY = 8;
/** MinIO holds a removal back for as long as somebody reads the object. */
const LONG_TIMEOUT_MS = 5 * 60 * 1_000;
/** Otherwise removals are over in some ms. */
const REMOVAL_PATIENCE_MS = 1_000;
/** Long enough for a download that is paused and resumed; the file itself may be gone sooner. */
const LINK_SECONDS = 60 * 60;

/** Disposed of, it lets go of idle connections. */
export type S3Store = FileStore & Disposable;

/** Asks nothing of the storage yet; see `checkS3`. */
export function openS3Store(settings: S3Settings): S3Store {
  const client = createS3Client(settings);
  const patient = createS3Client({ ...settings, timeoutMs: LONG_TIMEOUT_MS });
  const linking = settings.downloads === "presigned" ? createS3Client(settings, settings.publicEndpoint) : null;
  const sending = new PQueue({ concurrency: PARTS_IN_MEMORY });
  /** Begun by us and not taken back because the storage was away, by their ids. */
  const abandoned = new Map<string, string>();
  const named = (key: string) => ({ Bucket: settings.bucket, Key: `${settings.prefix}${key}` });

  function begin(key: string, localPath: string): Incoming {
    const object = named(key);
    const upload = new S3Upload(
      { client, object, sending, onAbandoned: (uploadId) => abandoned.set(uploadId, object.Key) },
      localPath,
    );
    return {
      grown: (final) => upload.grown(final),
      async finish() {
        try {
          const sizeBytes = await upload.finish();
          const stored = await client.send(new HeadObjectCommand(object));
          if (stored.ContentLength !== sizeBytes)
            throw new Error(`${stored.ContentLength} of ${sizeBytes} bytes were stored`);
        } catch (error) {
          // Our own file missing or unreadable: no other attempt would find that mended.
          throw isLocal(error)
            ? new ConversionError("storage", { cause: error, detail: String(error) })
            : new StoreUnavailableError(`store ${key}`, { cause: error });
        }
        await rm(localPath, { force: true });
      },
      [Symbol.asyncDispose]: () => upload.abort(),
    };
  }

  return {
    async put(key, localPath) {
      assertKey(key);
      await using incoming = begin(key, localPath);
      await incoming.finish();
    },
    begin(key, localPath) {
      assertKey(key);
      return begin(key, localPath);
    },
    async stat(key) {
      assertKey(key);
      try {
        const { ContentLength, LastModified } = await client.send(new HeadObjectCommand(named(key)));
        return { sizeBytes: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0) };
      } catch (error) {
        if (isMissing(error)) return null;
        throw new StoreUnavailableError(`look for ${key}`, { cause: error });
      }
    },
    async read(key, range) {
      assertKey(key);
      return read(client, named(key), key, range);
    },
    async remove(key) {
      assertKey(key);
      const removal = patient.send(new DeleteObjectCommand(named(key)));
      const patience = new AbortController();
      try {
        await Promise.race([removal, delay(REMOVAL_PATIENCE_MS, undefined, { signal: patience.signal })]);
      } catch (error) {
        throw new StoreUnavailableError(`remove ${key}`, { cause: error });
      } finally {
        patience.abort();
        // Left to itself, its failure is a stray file.
        removal.catch(() => undefined);
      }
    },
    async *list() {
      try {
        for await (const page of paginateListObjectsV2(
          { client },
          { Bucket: settings.bucket, Prefix: settings.prefix, Delimiter: "/" },
        ))
          for (const { Key, LastModified } of page.Contents ?? []) {
            const key = Key?.slice(settings.prefix.length) ?? "";
            if (isKey(key)) yield { key, modifiedAt: LastModified ?? new Date() };
          }
      } catch (error) {
        throw new StoreUnavailableError("list its files", { cause: error });
      }
    },
    async clearUnfinished(minAgeMs) {
      const abort = async (Key: string, UploadId: string) => {
        try {
          await client.send(new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId }));
        } catch (error) {
          // Finished or aborted in the meantime.
          if (!isNoUpload(error)) throw error;
        }
        abandoned.delete(UploadId);
      };
      try {
        let cleared = 0;
        for (const [uploadId, key] of abandoned) {
          await abort(key, uploadId);
          cleared += 1;
        }
        for (const { key, uploadId, begunAt } of await listUnfinished(client, settings)) {
          if (Date.now() - begunAt.getTime() < minAgeMs) continue;
          await abort(key, uploadId);
          cleared += 1;
        }
        return cleared;
      } catch (error) {
        throw new StoreUnavailableError("clear unfinished uploads", { cause: error });
      }
    },
    ...(linking && {
      linkTo(key, answer) {
        assertKey(key);
        const command = new GetObjectCommand({
          ...named(key),
          ResponseContentType: answer.contentType,
          ResponseContentDisposition: answer.disposition,
          ResponseCacheControl: "private, no-cache",
        });
        return getSignedUrl(linking, command, { expiresIn: LINK_SECONDS });
      },
    }),
    [Symbol.dispose]() {
      for (const each of [client, patient, linking]) each?.destroy();
    },
  };
}

async function read(
  client: S3Client,
  object: { Bucket: string; Key: string },
  key: string,
  range: ByteRange | undefined,
): Promise<Readable> {
  const open = async (wanted: string | undefined, signal?: AbortSignal) => {
    try {
      const answer = await client.send(
        new GetObjectCommand({ ...object, ...(wanted === undefined ? {} : { Range: wanted }) }),
        signal ? { abortSignal: signal } : {},
      );
      if (!(answer.Body instanceof Readable)) throw new Error("the storage answered without a body");
      return { body: answer.Body, lengthBytes: answer.ContentLength ?? 0 };
    } catch (error) {
      throw isMissing(error)
        ? new NoSuchFileError(key, { cause: error })
        : new StoreUnavailableError(`open ${key}`, { cause: error });
    }
  };
  const { body, lengthBytes } = await open(range && `bytes=${range.start}-${range.end}`);
  const start = range?.start ?? 0;
  const end = start + lengthBytes - 1;
  return new S3Reading(body, { start, end }, async (from, signal) => (await open(`bytes=${from}-${end}`, signal)).body);
}

/** Whether it is our own disk that failed. */
function isLocal(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    (error.syscall === "stat" || error.syscall === "open" || error.syscall === "read") &&
    "path" in error
  );
}
