/** Starts the whole product once for all browser tests, on data of its own, and stops it after them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const ORIGIN_VARIABLE = "TAPEDECK_E2E_ORIGIN";

/** Where the server of this run listens. */
export function serverOrigin(): string {
  const origin = process.env[ORIGIN_VARIABLE];
  if (origin === undefined) throw new Error("the server has not been started");
  return origin;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** A data folder of its own, with the tools and clips that every run shares. */
async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-e2e-"));
  for (const shared of ["tools", "sample-site"]) {
    const target = path.join(REPOSITORY, ".data", shared);
    await mkdir(target, { recursive: true });
    await symlink(target, path.join(folder, shared));
  }
  return folder;
}

/** Resolves when the server says that it is ready to work. */
async function waitUntilReady(origin: string, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server has ended before it was ready; its words are above");
}

export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await makeDataFolder();
  const port = await findFreePort();
  const server = spawn(process.execPath, ["backend/main.ts"], {
    cwd: REPOSITORY,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      RETRY_BACKOFF_MS: "100",
      STALL_TIMEOUT_MS: "5000",
    },
  });
  const ended = once(server, "exit");
  const origin = `http://localhost:${port}`;
  await waitUntilReady(origin, () => server.exitCode !== null);
  process.env[ORIGIN_VARIABLE] = origin;
  return async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
}
