/** Well-formed requests: Schemathesis makes them from the API's own description, and compares the answers with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { repositoryDataDir } from "../repository.ts";
import { boundToParent } from "../setup/run-tool.ts";
import { SCHEMATHESIS, preparePythonProgram } from "../setup/python-programs.ts";
import { CHECKS, leaveOut } from "./declared-calls.ts";
import type { FuzzRun } from "./fuzz-run.ts";

const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** The two kinds of callers: a browser on Pro, and a program with its token. */
function headersOfCallers({ server, visitors, token }: FuzzRun): string[][] {
  const cookie = visitors.at(-1)?.device.cookie;
  return [[`Cookie: ${cookie}`, `Origin: ${server.origin}`], [`Authorization: Bearer ${token}`]];
}

/**
 * Sends about so many requests, divided among the callers and the calls of the API. Schemathesis thinks longer about a
 * request than the server needs for it, so both callers send at the same time.
 * @param folder where Schemathesis keeps what it finds
 */
export async function sendDescribedRequests(run: FuzzRun, requests: number, folder: string): Promise<void> {
  const { server } = run;
  const program = await preparePythonProgram(SCHEMATHESIS, { dataDir: repositoryDataDir(), report: () => undefined });
  const address = `${server.origin}/api/openapi.json`;
  const { paths } = Description.parse(await (await fetch(address)).json());
  const calls = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
  const callers = headersOfCallers(run);
  const examples = Math.max(1, Math.round(requests / callers.length / calls));
  await Promise.all(
    callers.map((headers, n) => sendAs(headers, run, examples, { program, address, folder: join(folder, String(n)) })),
  );
}

interface Schemathesis {
  readonly program: string;
  /** Of the API's description. */
  readonly address: string;
  readonly folder: string;
}

/** @param examples requests for each call */
async function sendAs(
  headers: readonly string[],
  { tally, seed }: FuzzRun,
  examples: number,
  { program, address, folder }: Schemathesis,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const args = [
    "run",
    address,
    "--phases=examples,fuzzing",
    `--checks=${CHECKS.join(",")}`,
    leaveOut(),
    "--suppress-health-check=all",
    "--continue-on-failure",
    "--no-shrink",
    "--no-color",
    `--seed=${seed}`,
    `--max-examples=${examples}`,
    ...headers.map((header) => `--header=${header}`),
  ];
  const child = spawn(...boundToParent(program, args), { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<[number]>]);
  tally.describedRequests += Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
  if (code !== 0) tally.find("an answer differs from the description of the API", output.slice(-4_000));
}
