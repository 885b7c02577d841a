/**
 * Set-up of every test file: it removes the folders of the file, which fails when it leaves a process or a listening
 * port behind.
 */
import { beforeAll, expect, vi } from "vitest";
import { removeTestFolders } from "../testing/test-folder.ts";
import { descendants, listeningPorts, MARK, markedProcesses } from "./left-behind.ts";

const testFile = expect.getState().testPath ?? "unknown";
// Another run on this machine may have the same file.
const mark = `${testFile} ${process.pid}`;
process.env[MARK] = mark;
const earlier = new Set([...(await descendants()), ...(await listeningPorts())]);

beforeAll(() => checkAtTheEnd);

/** What the first `beforeAll` returns runs last: after all `afterAll`, and after what the others return. */
async function checkAtTheEnd(): Promise<void> {
  const read = async () => [...(await descendants()), ...(await markedProcesses(mark)), ...(await listeningPorts())];
  await vi.waitFor(
    async () => {
      const leftBehind = new Set((await read()).filter((one) => !earlier.has(one)));
      if (leftBehind.size > 0)
        throw new Error(`${testFile} left behind (PID NAME, port): ${[...leftBehind].join(", ")}`);
    },
    // A killed process needs a moment to end, and a busy machine long to look for it.
    { timeout: 120_000, interval: 50 },
  );
  await removeTestFolders();
}
