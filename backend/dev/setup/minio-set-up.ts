/** S3-compatible storage for development and tests: found, or built from source by Go. */
import path from "node:path";
import { canInstallPackages, installPackages } from "./debian.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { findOnPath, isProgram, runTool } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

const MODULE = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c";
const HOW_TO_MEND =
  "install Go (`apt-get install golang-go`, or a newer one from your system), or put minio on the PATH";
/** Some 300 modules; 5 minutes on two cores. */
const BUILD_TIMEOUT_MS = 30 * 60 * 1_000;

/**
 * Finds MinIO in the data folder, or on the PATH, or builds it (minutes, once).
 * @throws SetUpError when it cannot be had
 */
export async function prepareMinio(options: {
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  const folder = path.join(path.resolve(options.dataDir), "tools", "minio");
  const built = path.join(folder, "minio");
  const found = isProgram(built) ? built : findOnPath("minio");
  if (found !== undefined) return found;
  try {
    await withFolderLock(folder, options, async () => {
      if (isProgram(built)) return;
      if (findOnPath("go") === undefined && canInstallPackages()) await installPackages(["golang-go"], options);
      options.report(`Building ${MODULE}, which takes some minutes …`);
      await runTool("go", ["install", "-v", MODULE], {
        report: options.report,
        signal: options.signal,
        env: { ...process.env, GOBIN: folder },
        timeoutMs: BUILD_TIMEOUT_MS,
      });
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(
      `S3-compatible storage for tests needs MinIO, which could not be built (${reason}): ${HOW_TO_MEND}.`,
      { cause: error },
    );
  }
  options.report(`minio: ${built}`);
  return built;
}
