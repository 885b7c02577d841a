/** The server as a process, as far as it ends before it opens anything. */
import { afterEach, expect, it } from "vitest";
import { endProcesses, newDataDir, run } from "./dev/testing/test-process.ts";

afterEach(endProcesses);

it("names a wrong variable in one line and exits with 1", async () => {
  const started = run(["node", "backend/main.ts"], { PORT: "abc", DATA_DIR: await newDataDir() });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual(['PORT must be a whole number from 1 to 65535, but is "abc"']);
});
