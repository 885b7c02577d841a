/** Checks at the server's start that the storage answers, the bucket exists and the key has all permissions. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { createS3Client, type S3Settings } from "./s3-client.ts";

/** The storage cannot be used. The message names the variable to correct. */
export class S3CheckError extends Error {}

/**
 * Lists, writes, reads and removes a small object.
 * @throws S3CheckError when one of these fails
 */
export async function checkS3(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings);
  const { bucket: Bucket, prefix } = settings;
  // A valid file key without a job, so that the sweeper removes the object if the process crashes now.
  const written = randomUUID();
  const object = { Bucket, Key: `${prefix}start-check.${randomUUID()}.txt` };
  const steps: [permission: string, act: () => Promise<unknown>][] = [
    ["s3:ListBucket", () => client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))],
    ["s3:ListBucketMultipartUploads", () => client.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 1 }))],
    ["s3:PutObject", () => client.send(new PutObjectCommand({ ...object, Body: written }))],
    [
      "s3:GetObject",
      async () =>
        assert.equal(await (await client.send(new GetObjectCommand(object))).Body?.transformToString(), written),
    ],
    ["s3:DeleteObject", () => client.send(new DeleteObjectCommand(object))],
  ];
  try {
    for (const [permission, act] of steps)
      await act().catch((error: unknown) => {
        throw new S3CheckError(explain(error, settings, permission), { cause: error });
      });
  } finally {
    client.destroy();
  }
}

/** @returns a sentence for the operator that names the variable to correct */
function explain(error: unknown, { endpoint, bucket, region }: S3Settings, permission: string): string {
  const code = codeOf(error);
  switch (code) {
    case "NoSuchBucket":
      return (
        `S3_BUCKET must name a bucket that is there, but ${endpoint} has none called "${bucket}"; ` +
        "make it, or correct the name"
      );
    case "InvalidAccessKeyId":
      return (
        `S3_ACCESS_KEY_ID must be a key that ${endpoint} knows, but it says it does not; ` +
        "correct it and S3_SECRET_ACCESS_KEY"
      );
    case "SignatureDoesNotMatch":
      return (
        "S3_SECRET_ACCESS_KEY must be the secret that belongs to S3_ACCESS_KEY_ID, " +
        `but ${endpoint} says it is not; correct it`
      );
    case "AccessDenied":
      return (
        `S3_ACCESS_KEY_ID must name a key that may use the bucket "${bucket}", ` +
        `but ${endpoint} refuses ${permission}; allow it, or use another key`
      );
    case "PermanentRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return (
        `S3_REGION must be the region of the bucket "${bucket}", ` +
        `but ${endpoint} says it is not ${region}; correct it or S3_ENDPOINT`
      );
    case "RequestTimeTooSkewed":
      return `S3_ENDPOINT ${endpoint} refuses us because this machine's clock differs from its own; set the clock`;
    case "InvalidBucketName":
      return `S3_BUCKET must be a bucket's name, but ${endpoint} says that "${bucket}" is none; correct it`;
    default:
      return explainEndpoint(error, endpoint, permission);
  }
}

function explainEndpoint(error: unknown, endpoint: string, permission: string): string {
  const code = codeOf(error);
  // A web server that is not S3-compatible storage answers with another body or with text that is not XML.
  if (error instanceof assert.AssertionError || error instanceof SyntaxError)
    return (
      "S3_ENDPOINT must be the address of S3-compatible storage, " +
      `but what answers at ${endpoint} is none; correct it`
    );
  if (error instanceof S3ServiceException)
    return (
      "S3_ENDPOINT must be the address of S3-compatible storage, " +
      `but ${endpoint} answers ${error.$metadata.httpStatusCode ?? "?"} ${code} to ${permission}; correct it`
    );
  return (
    `S3_ENDPOINT must be where the storage answers, but ${endpoint} does not (${code}); ` +
    "start it, or correct the address"
  );
}

/** @returns the storage's error code or, if the connection failed, the system's */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
