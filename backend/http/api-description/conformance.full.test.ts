/** Schemathesis calls the running server as its description says, and compares the answers with it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { CreatedToken } from "../../../common/token-calls.ts";
import { CHECKS, leaveOut } from "../../dev/fuzz/declared-calls.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { runTool } from "../../dev/setup/run-tool.ts";
import { SCHEMATHESIS, preparePythonProgram } from "../../dev/setup/python-programs.ts";
import { FakePipeline } from "../../dev/testing/fake-pipeline.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";

const EMAIL = "pro@example.com";

/** A browser's cookies are no part of the call that is described, so that a call without them cannot be made. */
const CHECKS_OF_TOKENS = [...CHECKS, "negative_data_rejection", "ignored_auth"];

/** The list of the examples; what the calls ask for beside it is gone. */
const LIST = "https://www.youtube.com/playlist?list=PL6B3937A5D230E335";
const fake = new FakePipeline();
fake.lists.set(LIST, { title: "Rain", entries: [{ link: "https://youtu.be/aaaaaaaaaaa", title: "Drops" }] });

let server: TestServer;
let device: TestDevice;
let folder = "";
beforeAll(async () => {
  folder = await testFolder();
  const options = { hasExtractor: false, PAYMENT_STAND_IN: "on", lookups: fake.lookups };
  server = await startTestServer(options, undefined, convertWithoutTools);
  device = await server.newDevice();
  await server.signIn(device, { email: EMAIL });
  await server.setTier(EMAIL, "pro");
});
afterAll(() => server[Symbol.asyncDispose]());

/** @throws ToolFailure with the first difference that was found */
async function check(phases: string, checks: readonly string[], headers: readonly string[]): Promise<string> {
  const program = await preparePythonProgram(SCHEMATHESIS, { dataDir: repositoryDataDir(), report: () => undefined });
  const args = [
    "run",
    `${server.origin}/api/openapi.json`,
    `--phases=${phases}`,
    `--checks=${checks.join(",")}`,
    leaveOut(),
    "--no-shrink",
    "--no-color",
    // The same calls in every run.
    "--seed=1",
    "--max-examples=1",
    ...headers.map((header) => `--header=${header}`),
  ];
  // It keeps what it has found in the folder in which it runs.
  return runTool(program, args, { cwd: folder });
}

it("answers every call of a browser as the description says", async () => {
  const output = await check("examples,fuzzing", CHECKS, [`Cookie: ${device.cookie}`, `Origin: ${server.origin}`]);
  expect(output).toMatch(/[1-9]\d* generated, [1-9]\d* passed/);
});

it("answers every call of a program as the description says, at the borders of each field too", async () => {
  const answer = await device.call("POST", "/api/tokens", { name: "Test", scopes: ["read", "convert", "download"] });
  const { secret } = CreatedToken.parse(await answer.json());
  const output = await check("coverage", CHECKS_OF_TOKENS, [`Authorization: Bearer ${secret}`]);
  expect(output).toMatch(/[1-9]\d* generated, [1-9]\d* passed/);
});
