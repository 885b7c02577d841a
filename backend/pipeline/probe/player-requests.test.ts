/** Tests how calls get player scripts, with a program in place of yt-dlp that runs the code of the test. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { PATIENT_LIMITS } from "../../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { ExitPool } from "../exits/exit-pool.ts";
import { DIRECT_EXIT } from "../exits/exit.ts";
import { startExtractorHost } from "../extractor-host/extractor-host.ts";
import { startEgressGuard } from "../guard/egress-guard.ts";
import type { Pipeline } from "../pipeline.ts";
import { answerPlayerRequests } from "./player-requests.ts";
import { runYtDlp } from "./yt-dlp.ts";

/**
 * Makes a yt-dlp in one file. It runs its last argument as Python, with its cache folder as "cache" and a function that
 * asks for a player script. As the call that prepares a script it leaves what it knows in the script's files.
 */
const MAKE_PROGRAM = `
import sys, zipfile
main = '''
import json, os, sys, time
def main(argv):
    cache, url = argv[0].removeprefix("--cache-dir="), os.environ.get("TAPEDECK_PREPARED_PLAYER")
    if url:
        known = {"url": url, "link": argv[-1], "sees": sorted(os.listdir(ROOT)), "own": os.listdir(".")}
        for kind in ("youtube-script", "challenge-solver"):
            os.makedirs(f"{cache}/{kind}")
            with open(f"{cache}/{kind}/{url.split('/')[5]}.json", "w") as file:
                json.dump(known, file)
        return
    def ask(text):
        path = os.environ["TAPEDECK_PLAYER_REQUESTS"]
        with open(f"{path}.draft", "w") as file: file.write(text)
        os.rename(f"{path}.draft", path)
        while os.path.exists(path): time.sleep(0.01)
    exec(argv[-1], {"cache": cache, "ask": ask, "os": os})
'''.replace("ROOT", repr(sys.argv[2]))
provider = "class NChallengeInput: pass\\nJsChallengeRequest = JsChallengeType = NChallengeInput\\n"
modules = {
    "yt_dlp/__init__.py": main,
    "yt_dlp/extractor/__init__.py": "def import_extractors(): pass\\ndef gen_extractor_classes(): return []\\n",
    "yt_dlp/extractor/youtube/__init__.py": "class YoutubeIE: pass\\n",
    "yt_dlp/extractor/youtube/jsc/__init__.py": "",
    "yt_dlp/extractor/youtube/jsc/provider.py": provider,
    "__main__.py": "import sys, yt_dlp\\nyt_dlp.main(sys.argv[1:])\\n",
}
for name in "extractor/generic", "networking/__init__", "networking/common", "networking/_urllib":
    modules[f"yt_dlp/{name}.py"] = "make_ssl_context = lambda: None\\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"#!/usr/bin/python3\\n")
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in modules.items():
            archive.writestr(name, text)
`;

const resources = new AsyncDisposableStack();
/** Stands for DATA_DIR. */
const root = await testFolder();
let base: Pipeline;
let kept: string;
let jobFolder: string;
let count = 0;

beforeAll(async () => {
  const ytDlpPath = path.join(root, "yt-dlp");
  await promisify(execFile)("/usr/bin/python3", ["-I", "-c", MAKE_PROGRAM, ytDlpPath, root]);
  const sandbox = await openTestSandbox();
  const extractorHost = await startExtractorHost(ytDlpPath, root, undefined, sandbox);
  if (!extractorHost) throw new Error("the host does not start");
  resources.use(extractorHost);
  const guard = resources.use(await startEgressGuard({ allow: [] }));
  const tools = { ...inject("toolPaths"), ytDlpPath };
  base = { tools, sandbox, guard, extractorHost, videoHosts: [], limits: PATIENT_LIMITS };
});
afterAll(() => resources.disposeAsync());

beforeEach(async () => {
  count += 1;
  kept = path.join(root, `players-${count}`, "version");
  jobFolder = path.join(root, `job-${count}`);
  await mkdir(path.join(kept, "challenge-solver"), { recursive: true });
  await mkdir(jobFolder);
});

/** Runs Python in the place of yt-dlp. @returns what it printed */
async function call(script: string): Promise<string> {
  const exits = new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour: Infinity });
  const pipeline: Pipeline = { ...base, youtube: { exits, clientOrder: ["default"], playerFolder: kept } };
  const forever = new AbortController().signal;
  using session = pipeline.guard.open(1_000_000);
  await using players = answerPlayerRequests({ pipeline, signal: forever }, jobFolder, session);
  const { output, exitCode, stderrTail } = await runYtDlp(
    { pipeline, signal: forever },
    { args: [script], folder: jobFolder, way: session.way, timeoutMs: 240_000, players: players?.use },
  );
  if (exitCode !== 0) throw new Error(stderrTail);
  return output;
}

const urlOf = (release: string): string =>
  `https://www.youtube.com/s/player/${release}/player_ias.vflset/en_US/base.js`;
const keptFile = (name: string, kind = "challenge-solver"): string => path.join(kept, kind, `${name}.json`);
const filesIn = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).toSorted();

it("a call that was taken over changes nothing that is kept, and adds nothing", async () => {
  await writeFile(keptFile("old"), "kept");
  const output = await call(`
solver = f"{cache}/challenge-solver"
print(open(f"{solver}/old.json").read())
for attempt in (
    lambda: open(f"{solver}/old.json", "a"),
    lambda: open(f"{solver}/new.json", "w"),
    lambda: os.unlink(f"{solver}/old.json"),
    lambda: os.rename(f"{solver}/old.json", f"{solver}/other.json"),
    lambda: os.symlink("/etc/passwd", f"{solver}/link.json"),
    lambda: os.mkdir(f"{cache}/youtube-script"),
    lambda: os.chmod(f"{solver}/old.json", 0o777),
):
    try:
        attempt()
        print("could")
    except OSError: pass
`);
  expect(output).toBe("kept\n");
  expect(await filesIn(kept)).toEqual(["challenge-solver", "challenge-solver/old.json"]);
  expect(await readFile(keptFile("old"), "utf8")).toBe("kept");
});

it("another call prepares the script, knows nothing but its address, and overwrites nothing", async () => {
  await writeFile(keptFile("abcdef01"), "kept");
  const output = await call(`
open("secret", "w").write("x")
ask("${urlOf("abcdef01")}")
ask("${urlOf("abcdef02")}")
print(open(f"{cache}/challenge-solver/abcdef02.json").read())
`);
  const known = {
    url: urlOf("abcdef02"),
    link: "https://www.youtube.com/watch?v=-----------",
    sees: [`players-${count}`, "yt-dlp"],
  };
  const prepared = JSON.parse(output) as { own: string[] };
  expect(prepared).toMatchObject(known);
  expect(prepared.own.join()).not.toContain("secret");
  expect(await readFile(keptFile("abcdef01"), "utf8")).toBe("kept");
  expect(JSON.parse(await readFile(keptFile("abcdef02", "youtube-script"), "utf8"))).toMatchObject(known);
  // The folder of the other call is gone.
  expect(await readdir(path.dirname(kept))).toEqual(["version"]);
});

it("prepares a script once, also when several calls ask at the same time and again", async () => {
  const ask = `ask("${urlOf("abcdef03")}")`;
  const log = path.join(kept, "youtube-script");
  await Promise.all([call(ask), call(ask)]);
  await rm(log, { recursive: true });
  await call(ask);
  expect(await filesIn(kept)).toEqual(["challenge-solver", "challenge-solver/abcdef03.json"]);
});

it("prepares nothing but scripts at YouTube's own address", async () => {
  const refused = [
    "",
    urlOf("abcdef04").replace("https:", "http:"),
    urlOf("abcdef04").replace("www.youtube.com", "www.youtube.com.evil.example"),
    urlOf("abcdef04").replace("www.youtube.com", "evil.example"),
    urlOf("abcdef04").replace("player_ias.vflset", ".."),
    "https://www.youtube.com/redirect?q=https://evil.example/s/player/abcdef04/a/base.js",
    `${urlOf("abcdef04")}?x`,
    `${urlOf("abcdef04")}\n`,
    urlOf("abcdef04").replace("en_US", "x".repeat(400)),
  ];
  await call(`for url in ${JSON.stringify(refused)}: ask(url)`);
  expect(await filesIn(kept)).toEqual(["challenge-solver"]);
});

it("waits for no request that is no file", async () => {
  await writeFile(path.join(root, "other"), urlOf("abcdef05"));
  for (const make of [`os.mkfifo(path)`, `os.symlink("${root}/other", path)`, `os.mkdir(path)`])
    await call(`path = os.environ["TAPEDECK_PLAYER_REQUESTS"]\n${make}`);
  expect(await filesIn(kept)).toEqual(["challenge-solver"]);
});
