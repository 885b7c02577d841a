/** Random stored jobs and their wire form, for property tests. */
import * as fc from "fast-check";
import { z } from "zod";
import { ConversionErrorCode } from "../../../common/errors.ts";
import { LinkLasts } from "../../../common/file-link-calls.ts";
import { FINDINGS } from "../../../common/findings.ts";
import { JobStatus, Stage, type Job } from "../../../common/job.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { presentJob } from "../../domain/jobs/present.ts";

const EPOCH_MS = Date.UTC(2026, 0, 1);
const date = fc.integer({ min: 0, max: 60_000 }).map((ms) => new Date(EPOCH_MS + ms));
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** @returns values that a JSON schema accepts, of the kinds that findings have */
function valuesOf(schema: z.core.JSONSchema.JSONSchema): fc.Arbitrary<unknown> {
  const { enum: options, const: constant, pattern, maxLength = 1_000, type, properties, required = [] } = schema;
  if (options) return fc.constantFrom(...options);
  if (constant !== undefined) return fc.constant(constant);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  if (type === "string") return fc.string({ minLength: schema.minLength ?? 0, maxLength });
  if (type === "integer") return fc.integer({ min: 1, max: 500_000_000 });
  if (!properties) throw new TypeError(`no values are known for ${JSON.stringify(schema)}`);
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(Object(field))] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}
const findings = valuesOf(z.toJSONSchema(z.object(FINDINGS)));

/** Marks values that must not leave the server, so that a test finds them in any output. */
export const SECRET = "internal-secret";
const secret = fc.nat(9).map((n) => `${SECRET}-${n}`);

/** A job with the fields of its status and, beside them, those of all other statuses. */
export const storedJob: fc.Arbitrary<StoredJob> = fc
  .record({
    deviceId: secret,
    userId: fc.option(secret),
    tier: fc.constantFrom(...Tier.options),
    sourceUrl: secret.map((id) => `https://video.example/watch?v=${id}`),
    conversionKey: secret,
    format: fc.constantFrom(...Format.options),
    quality: fc.constantFrom(...Quality.options),
    status: fc.constantFrom(...JobStatus.options),
    attempt: fc.integer({ min: 1, max: 4 }),
    finalAttempt: fc.integer({ min: 1, max: 9 }),
    place: optional(secret),
    network: optional(secret),
    networkSlot: optional(secret),
    resumesAt: optional(date),
    isCatchingUp: optional(fc.constant(true as const)),
    priority: fc.integer({ min: -1_000, max: 1_000 }),
    progress: fc.integer({ min: 0, max: 100 }),
    stage: fc.constantFrom(...Stage.options),
    etaSeconds: optional(fc.nat(1_000)),
    bytesPerSecond: optional(fc.nat(1_000_000)),
    earlyName: optional(fc.string()),
    title: fc.string({ unit: "grapheme" }),
    durationSeconds: optional(fc.integer({ min: 1, max: 7_200 })),
    note: optional(fc.string()),
    error: fc.record(
      {
        code: fc.constantFrom(...ConversionErrorCode.options),
        message: fc.string(),
        reason: fc.record({
          name: fc.constant("longer_than_plan" as const),
          maxSeconds: fc.integer({ min: 1, max: 7_200 }),
          proMaxSeconds: fc.option(fc.integer({ min: 1, max: 7_200 })),
        }),
      },
      { requiredKeys: ["code", "message"] },
    ),
    batchId: optional(fc.uuid()),
    cutOf: optional(fc.record({ fileKey: secret })),
    tape: optional(
      fc.record({
        batchId: fc.uuid(),
        songs: fc.integer({ min: 1, max: 20 }),
        waitsFor: fc.integer({ min: 1, max: 20 }),
      }),
    ),
    call: optional(fc.record({ id: secret, traceparent: secret, at: date })),
    queuedAt: optional(date),
    workerId: optional(secret),
    leaseExpiresAt: optional(date),
    fileKey: optional(secret),
    fileSize: fc.integer({ min: 1, max: 500_000_000 }),
    thumbnailKey: optional(secret),
    chapters: optional(fc.array(fc.record({ title: secret, startSeconds: fc.nat(7_200) }))),
    expiresAt: date,
    isExpired: optional(fc.boolean()),
    isBlocked: optional(fc.boolean()),
    subjects: optional(fc.array(secret)),
    fileLink: optional(
      fc.record({
        hash: secret,
        lasts: fc.constantFrom(...LinkLasts.options),
        createdAt: date,
        endsAt: date,
        opened: fc.nat(100),
        tickets: fc.array(secret),
      }),
    ),
    announcedAfter: optional(date),
    createdAt: date,
    updatedAt: date,
  })
  .chain((fields) =>
    fc
      .tuple(fc.constantFrom("a", "b", "c"), findings)
      .map(([id, found]) => withoutUndefined({ _id: id, ...fields, ...Object(found) })),
  );

/** Drawn from few ids, attempts and times, so that many versions are of the same job. */
export const wireJob: fc.Arbitrary<Job> = fc.tuple(storedJob, date).map(([job, now]) => presentJob(job, now.getTime()));

function withoutUndefined(fields: object): StoredJob {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StoredJob;
}
