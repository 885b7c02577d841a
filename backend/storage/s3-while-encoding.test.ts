/** Tests that a worker uploads a file to remote storage while it is being encoded. */
import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ListMultipartUploadsCommand, ListPartsCommand, type MultipartUpload } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { openTestDomain, newViewer } from "../dev/testing/test-domain.ts";
import { startTestStorage } from "../dev/testing/test-storage.ts";
import { withoutTapes } from "../dev/testing/test-conversion.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { openConversionLeases } from "../domain/jobs/conversion-leases.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../domain/jobs/end-jobs.ts";
import type { JobContext } from "../worker/job-context.ts";
import { Runner } from "../worker/runner.ts";
import { openS3Store } from "./s3-store.ts";
import { PART_BYTES } from "./s3-upload.ts";

const HEAD_BYTES = 1_000;

const storage = await ofFile(startTestStorage());

/** @returns a conversion that writes all but the beginning, and the beginning when `encoderEnd` resolves */
function convertInTwoSteps(bytes: Buffer, encoderEnd: Promise<void>): JobContext["convert"] {
  return async (request, listener, signal) => {
    const path = join(request.folder, "result.mp3");
    await using file = await open(path, "w");
    listener.progress({ stage: "convert", percent: 10 });
    listener.written?.(path, null);
    await file.write(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES, HEAD_BYTES);
    listener.written?.(path, { from: HEAD_BYTES, to: bytes.length });
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    await Promise.race([encoderEnd, aborted.promise]);
    await file.write(bytes, 0, HEAD_BYTES, 0);
    return { path, sizeBytes: bytes.length, durationSeconds: 1 };
  };
}

/** @returns the uploads in a bucket that were not completed */
async function unfinishedUploads(bucket: string): Promise<MultipartUpload[]> {
  return (await storage.server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];
}

/** @returns the numbers of the parts that the first unfinished upload has sent */
async function arrivedParts(bucket: string): Promise<(number | undefined)[]> {
  const [upload] = await unfinishedUploads(bucket);
  if (!upload) return [];
  const command = new ListPartsCommand({ Bucket: bucket, Key: upload.Key, UploadId: upload.UploadId });
  return ((await storage.server.client.send(command)).Parts ?? []).map(({ PartNumber }) => PartNumber);
}

/** Runs a worker whose conversion writes three parts, and then the beginning when the test allows it. */
async function startWorker() {
  await using opened = new AsyncDisposableStack();
  const folder = await testFolder();
  const settings = await storage.settings();
  const store = opened.use(openS3Store(settings));
  const domain = { ...(await openTestDomain()), removeFile: (key: string) => store.remove(key) };
  opened.defer(() => domain.close());
  const bytes = randomBytes(3 * PART_BYTES + 1_000);
  const encoderEnd = Promise.withResolvers<void>();
  const silent = () => undefined;
  const runner = new Runner(
    {
      domain,
      store,
      leases: await openConversionLeases(domain.jobs.db, { workerId: "w", leaseMs: 60_000 }),
      scratchFolder: join(folder, "scratch"),
      writeIntervalMs: 1,
      storePatienceMs: 0,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      convert: convertInTwoSteps(bytes, encoderEnd.promise),
      joinSongs: withoutTapes,
    },
    "w",
  );
  const viewer = newViewer();
  const { _id } = await createConversion(domain, viewer, { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" });
  const running = runner.handle({ jobId: _id, renewLock: () => Promise.resolve() });
  await expect.poll(() => arrivedParts(settings.bucket)).toEqual([2, 3]);
  const rest = opened.move();
  return {
    domain,
    store,
    bytes,
    encoderEnd,
    unfinished: () => unfinishedUploads(settings.bucket),
    viewer,
    id: _id,
    running,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

it("uploads final bytes before the encoder ends, and the file is complete when the job is", async () => {
  await using worker = await startWorker();
  expect(await worker.domain.stored(worker.id)).not.toMatchObject({ status: "completed" });
  worker.encoderEnd.resolve();
  await worker.running;
  const job = await worker.domain.stored(worker.id);
  expect(job).toMatchObject({ status: "completed", fileSize: worker.bytes.length });
  expect(worker.bytes.equals(await buffer(await worker.store.read(job?.fileKey ?? "")))).toBe(true);
  expect(await worker.unfinished()).toEqual([]);
});

it("leaves nothing when the job is canceled", async () => {
  await using worker = await startWorker();
  await cancelOrRemove(worker.domain, worker.viewer, worker.id);
  await expect.poll(async () => (await worker.unfinished()).length).toBe(0);
  await worker.running;
  expect(await worker.domain.stored(worker.id)).toMatchObject({ status: "canceled" });
  for await (const { key } of worker.store.list()) expect.unreachable(key);
});

it("leaves nothing when the conversion fails", async () => {
  await using worker = await startWorker();
  worker.encoderEnd.reject(new ConversionError("too_large"));
  await worker.running;
  expect(await worker.domain.stored(worker.id)).toMatchObject({ status: "failed", error: { code: "too_large" } });
  expect(await worker.unfinished()).toEqual([]);
  for await (const { key } of worker.store.list()) expect.unreachable(key);
});
