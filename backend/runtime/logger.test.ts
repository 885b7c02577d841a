import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { z } from "zod";

const Line = z.object({ level: z.number(), time: z.number(), pid: z.number(), hostname: z.string(), msg: z.string() });

/** @returns what a process of production writes to standard output and standard error */
function written(code: string): Promise<{ stdout: string; stderr: string }> {
  const logger = JSON.stringify(new URL("logger.ts", import.meta.url).href);
  const start = `const { createLogger } = await import(${logger});
    const log = createLogger({ isProduction: true, env: { LOG_LEVEL: "info" } });`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "--eval", start + code]);
}

it("writes one line of JSON for each event to standard output, with time and process, whatever a text contains", async () => {
  const beforeMs = Date.now();
  const { stdout, stderr } = await written(
    String.raw`log.info({ title: "a\r\n{\"level\":60}" }, "one\n{\"level\":60}\u2028"); log.debug("more than is wanted");`,
  );
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split(/\r|\n/)).toHaveLength(1);
  const line = Line.parse(JSON.parse(stdout));
  expect(line).toMatchObject({ level: 30, msg: 'one\n{"level":60}\u2028' });
  // Unix time, which has no time zone.
  expect(line.time).toBeGreaterThanOrEqual(beforeMs);
  expect(line.time).toBeLessThanOrEqual(Date.now());
});
