/** Uploads in parts that nobody completed. They cost as much as files and are listed nowhere else. */
import { ListMultipartUploadsCommand, type S3Client } from "@aws-sdk/client-s3";

export interface UnfinishedUpload {
  /** With the prefix. */
  readonly key: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

export async function listUnfinished(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): Promise<UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = [];
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (marker) {
    // MinIO lists all of a bucket or those of one name, nothing between: so the prefix is looked at here.
    const page: Awaited<ReturnType<typeof ask>> = await ask(client, bucket, marker);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Key?.startsWith(prefix) && UploadId !== undefined)
        found.push({ key: Key, uploadId: UploadId, begunAt: Initiated ?? new Date(0) });
    marker =
      page.IsTruncated && page.NextKeyMarker !== undefined
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
          }
        : undefined;
  }
  return found;
}

function ask(client: S3Client, bucket: string, marker: { KeyMarker?: string; UploadIdMarker?: string }) {
  return client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }));
}
