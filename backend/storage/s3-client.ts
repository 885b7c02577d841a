/** How we speak to S3-compatible storage, and what its errors mean. */
import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";

export interface S3Settings {
  /** Where the storage answers us, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** Where it answers browsers; only links have it. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** What the names of our files begin with. Whatever lies below it is ours to remove. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket is in the path rather than in the host's name. */
  readonly forcePathStyle: boolean;
  /** Whether files come through us or browsers are sent to the storage. */
  readonly downloads: "proxy" | "presigned";
  /** A connection without a byte for this long is dead. */
  readonly timeoutMs: number;
}

/** Tries of one request, with the SDK's own back-off in between. */
const TRIES = 3;

/** @param endpoint `settings.endpoint`, or the public one for making links */
export function createS3Client(settings: S3Settings, endpoint: string = settings.endpoint): S3Client {
  return new S3Client({
    endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: TRIES,
    // Not every storage knows the newer checksums; what we send is covered by its signature.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: settings.timeoutMs,
      socketTimeout: settings.timeoutMs,
      // Each download that passes through us holds a connection; a limit here would be one on downloads.
      httpAgent: { keepAlive: true, maxSockets: Infinity },
      httpsAgent: { keepAlive: true, maxSockets: Infinity },
    },
  });
}

/** Whether the storage says that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === "NoSuchKey" || error.name === "NotFound");
}
