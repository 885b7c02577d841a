import { ListMultipartUploadsCommand, type S3Client } from "@aws-sdk/client-s3";

export interface UnfinishedUpload {
  /** Key of the object, with our prefix. */
  readonly objectKey: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

interface PageMarker {
  readonly KeyMarker?: string;
  readonly UploadIdMarker?: string;
}

/** Lists multipart uploads that were not completed. They cost as much as files but do not appear in file lists. */
export async function listUnfinishedUploads(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): Promise<UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = [];
  let marker: PageMarker | undefined = {};
  while (marker) {
    const page: Awaited<ReturnType<typeof requestPage>> = await requestPage(client, bucket, marker);
    // The prefix is checked here, because MinIO accepts only the full key of one object as a prefix.
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Key?.startsWith(prefix) && UploadId !== undefined)
        found.push({ objectKey: Key, uploadId: UploadId, begunAt: Initiated ?? new Date(0) });
    const hasNextPage = page.IsTruncated && page.NextKeyMarker !== undefined;
    marker = hasNextPage ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
  return found;
}

function requestPage(client: S3Client, bucket: string, marker: PageMarker) {
  return client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }));
}
