/** Finished files in S3-compatible storage. Large ones go there in parts, several at a time. */
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3ServiceException,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import PQueue from "p-queue";
import { ConversionError } from "../../common/errors.ts";
import { assertKey, isKey, NoSuchFileError, StoreUnavailableError, type ByteRange, type FileStore } from "./file-store.ts";
import { createS3Client, isMissing, type S3Settings } from "./s3-client.ts";
import { S3Reading } from "./s3-reading.ts";
import { listUnfinished } from "./s3-unfinished.ts";

/** Each is held in memory while it is sent. */
export const PART_BYTES = 8 * 1024 * 1024;
export const PARTS_AT_A_TIME = 4;
/** Of one process, so that its uploads take 128 MB at most. */
const UPLOADS_AT_A_TIME = 4;
/** The largest file takes the storage some seconds to copy, and nothing is sent meanwhile. */
const LONG_TIMEOUT_MS = 5 * 60 * 1_000;
/** Removals are over in some ms, but MinIO holds one back for as long as somebody reads the object. */
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
  const uploads = new PQueue({ concurrency: UPLOADS_AT_A_TIME });
  /** Begun by us and not taken back because the storage was away, by their ids. */
  const abandoned = new Map<string, string>();
  const named = (key: string) => ({ Bucket: settings.bucket, Key: `${settings.prefix}${key}` });

  async function upload(key: string, localPath: string): Promise<void> {
    const uploading = new Upload({
      client,
      params: { ...named(key), Body: createReadStream(localPath, { highWaterMark: 1024 * 1024 }) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_A_TIME,
    });
    try {
      await uploading.done();
    } catch (error) {
      if (uploading.uploadId !== undefined) abandoned.set(uploading.uploadId, named(key).Key);
      throw error;
    }
  }

  return {
    async put(key, localPath) {
      assertKey(key);
      try {
        const { size } = await stat(localPath);
        await uploads.add(() => upload(key, localPath));
        const stored = await client.send(new HeadObjectCommand(named(key)));
        if (stored.ContentLength !== size) throw new Error(`${stored.ContentLength} of ${size} bytes were stored`);
      } catch (error) {
        // Our own file missing or unreadable: no other attempt would find that mended.
        throw isLocal(error) ? new ConversionError("storage", { cause: error, detail: String(error) }) : new StoreUnavailableError(`store ${key}`, { cause: error });
      }
      await rm(localPath, { force: true });
    },
    async share(key, asKey) {
      assertKey(key);
      assertKey(asKey);
      try {
        await patient.send(new CopyObjectCommand({ ...named(asKey), CopySource: encodeURI(`${settings.bucket}/${named(key).Key}`) }));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw new StoreUnavailableError(`copy ${key}`, { cause: error });
      }
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
        for await (const page of paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: settings.prefix, Delimiter: "/" }))
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
          if (!(error instanceof S3ServiceException && error.name === "NoSuchUpload")) throw error;
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
        const command = new GetObjectCommand({ ...named(key), ResponseContentType: answer.contentType, ResponseContentDisposition: answer.disposition, ResponseCacheControl: "private, no-cache" });
        return getSignedUrl(linking, command, { expiresIn: LINK_SECONDS });
      },
    }),
    [Symbol.dispose]() {
      for (const each of [client, patient, linking]) each?.destroy();
    },
  };
}

async function read(client: S3Client, object: { Bucket: string; Key: string }, key: string, range: ByteRange | undefined): Promise<Readable> {
  const open = async (wanted: string | undefined, signal?: AbortSignal) => {
    try {
      const answer = await client.send(new GetObjectCommand({ ...object, ...(wanted === undefined ? {} : { Range: wanted }) }), signal ? { abortSignal: signal } : {});
      if (!(answer.Body instanceof Readable)) throw new Error("the storage answered without a body");
      return { body: answer.Body, lengthBytes: answer.ContentLength ?? 0 };
    } catch (error) {
      throw isMissing(error) ? new NoSuchFileError(key, { cause: error }) : new StoreUnavailableError(`open ${key}`, { cause: error });
    }
  };
  const { body, lengthBytes } = await open(range && `bytes=${range.start}-${range.end}`);
  const start = range?.start ?? 0;
  const end = start + lengthBytes - 1;
  return new S3Reading(body, { start, end }, async (from, signal) => (await open(`bytes=${from}-${end}`, signal)).body);
}

/** Whether it is our own disk that failed. */
function isLocal(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && (error.syscall === "stat" || error.syscall === "open" || error.syscall === "read") && "path" in error;
}
