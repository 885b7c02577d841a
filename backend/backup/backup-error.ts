/** A backup or restore cannot go on. The message is for the operator and says what to do. */
export class BackupError extends Error {}

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const REFUSED = new Set(["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EIO"]);

/**
 * @param folder where something was to be written
 * @param outcome what the failure means, such as "no backup was made"
 * @returns an error with a sentence for a full or unusable disk; any other error unchanged
 */
export function explainDiskError(error: unknown, folder: string, outcome: string): unknown {
  if (error instanceof BackupError) return error;
  const cause = findDiskError(error);
  if (cause && FULL.has(cause.code))
    return new BackupError(
      `The disk of ${folder} is full (${cause.code}), so ${outcome}; free some space and try again.`,
      {
        cause: error,
      },
    );
  if (cause && REFUSED.has(cause.code))
    return new BackupError(
      `${folder} must be a folder that can be read and written, but is not (${cause.message}), so ${outcome}.`,
      { cause: error },
    );
  return error;
}

/** @returns the error of the disk that is the cause of an error of a store, or the error itself */
function findDiskError(error: unknown): { readonly code: string; readonly message: string } | null {
  if (!(error instanceof Error)) return null;
  if ("syscall" in error && "code" in error) return { code: String(error.code), message: error.message };
  return findDiskError(error.cause);
}
