/**
 * The payment provider's own request checker: it knows every call and parameter of the real API,
 * and forgets everything. Tests send it what our server sends; built from source by Go.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { canInstallPackages, installPackages } from "../setup/debian.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { repositoryDataDir } from "../repository.ts";
import { boundToParent, findOnPath, isProgram, runTool } from "../setup/run-tool.ts";
import { SetUpError } from "../setup/set-up-error.ts";

const MODULE = "github.com/stripe/stripe-mock@v0.203.0";
const HOW_TO_MEND = "install Go (`apt-get install golang-go`, or a newer one from your system)";
const BUILD_TIMEOUT_MS = 300_000;

/**
 * Finds the checker in the data folder, or on the PATH, or builds it (seconds, once).
 * @throws SetUpError when it cannot be had
 */
export async function prepareStripeMock(options: {
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  const folder = path.join(path.resolve(options.dataDir), "tools", "stripe-mock");
  const built = path.join(folder, "stripe-mock");
  const found = isProgram(built) ? built : findOnPath("stripe-mock");
  if (found !== undefined) return found;
  try {
    await withFolderLock(folder, options, async () => {
      if (isProgram(built)) return;
      if (findOnPath("go") === undefined && canInstallPackages()) await installPackages(["golang-go"], options);
      options.report(`Building ${MODULE} …`);
      await runTool("go", ["install", MODULE], {
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
      `The tests of payment need stripe-mock, which could not be built (${reason}): ${HOW_TO_MEND}.`,
      { cause: error },
    );
  }
  options.report(`stripe-mock: ${built}`);
  return built;
}

export interface StripeMock {
  /** On 127.0.0.1, plain HTTP; any `sk_test_` key will do. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts one on a free port of its own.
 * @throws SetUpError when it cannot be had, Error when it ends before it listens
 */
export async function startStripeMock(
  options: { readonly dataDir?: string; readonly log?: (line: string) => void } = {},
): Promise<StripeMock> {
  const log = options.log ?? (() => undefined);
  const program = await prepareStripeMock({ dataDir: options.dataDir ?? repositoryDataDir(), report: log });
  // HTTPS cannot be turned off beside -http-addr; on its usual port only one could run at a time.
  const child = spawn(...boundToParent(program, ["-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0"]), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const [, listening] = /Listening for HTTP at address: 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (listening !== undefined) resolve(Number(listening));
      log(line);
    });
    child.once("error", reject);
    void exited.then(([code]) => reject(new Error(`stripe-mock ended with ${String(code)} before it listened`)));
  });
  return {
    port,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
