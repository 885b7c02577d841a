/** Which calls of yt-dlp reach the token provider, with a program in place of yt-dlp that tries to. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { PATIENT_LIMITS } from "../../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { startTokenProvider } from "../../dev/stand-ins/token-provider.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { ExitPool } from "../exits/exit-pool.ts";
import { DIRECT_EXIT } from "../exits/exit.ts";
import { startEgressGuard } from "../guard/egress-guard.ts";
import type { Pipeline } from "../pipeline.ts";
import { readLink } from "./extraction.ts";
import { withTokenProvider } from "./youtube.ts";

/** Makes a yt-dlp in one file that says whether it could connect to the port of its second argument. */
const MAKE_PROGRAM = `
import sys, zipfile
main = '''
import socket
def main(argv):
    try:
        socket.create_connection(("127.0.0.1", PORT), 5).close()
        print("true")
    except OSError:
        print("false")
'''.replace("PORT", sys.argv[2])
with open(sys.argv[1], "wb") as file:
    file.write(b"#!/usr/bin/python3\\n")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("yt_dlp/__init__.py", main)
        archive.writestr("__main__.py", "import sys, yt_dlp\\nyt_dlp.main(sys.argv[1:])\\n")
`;

const resources = new AsyncDisposableStack();
const folder = await testFolder();
let pipeline: Pipeline;

beforeAll(async () => {
  const { address } = resources.use(await startTokenProvider({ version: "2.0.1", certificate: "" }));
  const ytDlpPath = path.join(folder, "yt-dlp");
  await promisify(execFile)("/usr/bin/python3", ["-I", "-c", MAKE_PROGRAM, ytDlpPath, new URL(address).port]);
  const exits = new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour: Infinity });
  pipeline = {
    tools: { ...inject("toolPaths"), ytDlpPath },
    sandbox: await openTestSandbox(),
    guard: resources.use(await startEgressGuard({ allow: [] })),
    videoHosts: [],
    limits: PATIENT_LIMITS,
    youtube: withTokenProvider(
      { exits, clientOrder: ["default"], playerFolder: path.join(folder, "players") },
      address,
    ),
  };
});
afterAll(() => resources.disposeAsync());

it.each([
  ["is reached for YouTube", "https://www.youtube.com/watch?v=aaaaaaaaaa1", true],
  ["is not reached for another site", "https://videos.example/watch", false],
  ["is not reached for a site with the name of YouTube in its own", "https://youtube.com.videos.example/watch", false],
])("the token provider %s", async (_what, link, isReached) => {
  const parse = ({ path: file }: { readonly path: string }) => readFile(file, "utf8");
  const own = await mkdtemp(path.join(folder, "job-"));
  const request = { link, listArgs: [], folder: own, parse, countsForHealth: false };
  const { result } = await readLink({ pipeline, signal: new AbortController().signal }, request);
  expect(JSON.parse(result)).toBe(isReached);
});
