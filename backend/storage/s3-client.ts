/** Settings and client for S3-compatible storage. */
import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";

export interface S3Settings {
  /** URL of the storage for the server, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** URL of the storage for browsers, used in download links only. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of our object keys. All objects with this prefix belong to us and may be removed. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether URLs have the bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean;
  /** Whether downloads pass through the server or browsers are redirected to the storage. */
  readonly downloads: "proxy" | "presigned";
  /** Limit for connecting, and for the time between two bytes. */
  readonly timeoutMs: number;
}

/** Attempts of one request, with the SDK's back-off in between. */
const MAX_ATTEMPTS = 3;

/** @param endpoint default `settings.endpoint`; the public one for creating links */
export function createS3Client(settings: S3Settings, endpoint: string = settings.endpoint): S3Client {
  return new S3Client({
    endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: MAX_ATTEMPTS,
    // Not every storage supports the newer checksums; the signature of a request covers its body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: settings.timeoutMs,
      socketTimeout: settings.timeoutMs,
      // Each proxied download uses a connection, so a limit here would limit the downloads.
      httpAgent: { keepAlive: true, maxSockets: Infinity },
      httpsAgent: { keepAlive: true, maxSockets: Infinity },
    },
  });
}

/** Whether the error says that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === "NoSuchKey" || error.name === "NotFound");
}
