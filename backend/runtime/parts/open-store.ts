import { join } from "node:path";
import { ConfigError, type Config } from "../../config/config.ts";
import { openDiskStore } from "../../storage/disk-store.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { checkS3, S3CheckError } from "../../storage/s3-check.ts";
import { openS3Store } from "../../storage/s3-store.ts";

/**
 * Opens S3-compatible storage if it is configured, otherwise a folder in the data folder.
 * @throws ConfigError when the storage does not answer or lacks a permission
 */
export async function openStore(config: Config, started: AsyncDisposableStack): Promise<FileStore> {
  if (!config.s3) return openDiskStore(join(config.dataDir, "files"));
  try {
    await checkS3(config.s3);
  } catch (error) {
    throw error instanceof S3CheckError ? new ConfigError(error.message, { cause: error }) : error;
  }
  return started.use(openS3Store(config.s3));
}
