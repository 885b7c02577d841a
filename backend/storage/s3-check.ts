/** At the start: does the storage answer, is the bucket there, may we do in it what we have to? */
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

/** The message is a sentence that names the variable and says what to do. */
export class S3RefusedError extends Error {}

/**
 * Lists, writes, reads and removes a few bytes.
 * @throws S3RefusedError
 */
export async function checkS3(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings);
  const { bucket: Bucket, prefix } = settings;
  // A file key that no job has: left behind by a crash, it is swept up like any.
  const written = randomUUID();
  const object = { Bucket, Key: `${prefix}start-check.${randomUUID()}.txt` };
  const steps: [doing: string, act: () => Promise<unknown>][] = [
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
        throw new S3RefusedError(explain(error, settings, permission), { cause: error });
      });
  } finally {
    client.destroy();
  }
}

function explain(error: unknown, { endpoint, bucket, region }: S3Settings, permission: string): string {
  const said = codeOf(error);
  // A web server of another kind answers everything in its own way.
  const isOther = error instanceof assert.AssertionError || error instanceof SyntaxError;
  switch (said) {
    case "NoSuchBucket":
      return `S3_BUCKET must name a bucket that is there, but ${endpoint} has none called "${bucket}"; make it, or correct the name`;
    case "InvalidAccessKeyId":
      return `S3_ACCESS_KEY_ID must be a key that ${endpoint} knows, but it says it does not; correct it and S3_SECRET_ACCESS_KEY`;
    case "SignatureDoesNotMatch":
      return `S3_SECRET_ACCESS_KEY must be the secret that belongs to S3_ACCESS_KEY_ID, but ${endpoint} says it is not; correct it`;
    case "AccessDenied":
      return `S3_ACCESS_KEY_ID must name a key that may use the bucket "${bucket}", but ${endpoint} refuses ${permission}; allow it, or use another key`;
    case "PermanentRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return `S3_REGION must be the region of the bucket "${bucket}", but ${endpoint} says it is not ${region}; correct it or S3_ENDPOINT`;
    case "RequestTimeTooSkewed":
      return `S3_ENDPOINT ${endpoint} refuses us because this machine's clock differs from its own; set the clock`;
    case "InvalidBucketName":
      return `S3_BUCKET must be a bucket's name, but ${endpoint} says that "${bucket}" is none; correct it`;
    default:
      if (isOther)
        return `S3_ENDPOINT must be the address of S3-compatible storage, but what answers at ${endpoint} is none; correct it`;
      return error instanceof S3ServiceException
        ? `S3_ENDPOINT must be the address of S3-compatible storage, but ${endpoint} answers ${error.$metadata.httpStatusCode ?? "?"} ${said} to ${permission}; correct it`
        : `S3_ENDPOINT must be where the storage answers, but ${endpoint} does not (${said}); start it, or correct the address`;
  }
}

/** Its own word for what is wrong; of a connection that failed, the system's. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
