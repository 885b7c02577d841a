/** Tests the sandbox of yt-dlp with a program in its place that runs the code of the test. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { startEgressGuard, type EgressGuard, type GuardSession } from "../guard/egress-guard.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import type { ToolSandbox } from "../process/tool-sandbox.ts";
import { startExtractorHost, type ExtractorHost } from "./extractor-host.ts";
import { forwardedCommand } from "./extractor-sandbox.ts";

/** Makes a yt-dlp in one file, which runs its first argument as Python, and something else when it is imported. */
const MAKE_PROGRAM = `
import sys, zipfile
run = "def main(argv=None):\\n    exec((argv or sys.argv[1:])[0], {})\\n"
modules = {
    "yt_dlp/__init__.py": f"import sys\\n{sys.argv[2]}\\n{run}",
    "yt_dlp/extractor/__init__.py": "def import_extractors(): pass\\ndef gen_extractor_classes(): return []\\n",
    "__main__.py": "import yt_dlp\\nyt_dlp.main()\\n",
}
for name in "extractor/generic", "extractor/youtube", "networking/__init__", "networking/common", "networking/_urllib":
    modules[f"yt_dlp/{name}.py"] = "make_ssl_context = lambda: None\\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"#!/usr/bin/python3\\n")
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in modules.items():
            archive.writestr(name, text)
`;

async function makeProgram(path: string, atImport = ""): Promise<void> {
  await promisify(execFile)("/usr/bin/python3", ["-I", "-c", MAKE_PROGRAM, path, atImport]);
}

const resources = new AsyncDisposableStack();
/** Stands for DATA_DIR. */
const root = await testFolder();
let folder: string;
let program: string;
let sandbox: ToolSandbox;
let host: ExtractorHost;
let guard: EgressGuard;
let session: GuardSession;
let service: Server;
let visitorCount = 0;

beforeAll(async () => {
  folder = join(root, "scratch", "job-1");
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, "scratch", "job-2"));
  await mkdir(join(root, "tools"));
  for (const file of ["scratch/job-2/info.json", "session-keys"]) await writeFile(join(root, file), "secret");
  program = join(root, "tools", "yt-dlp");
  await makeProgram(program);
  sandbox = await openTestSandbox();
  const started = await startExtractorHost(program, root, undefined, sandbox);
  if (!started) throw new Error("the host does not start");
  host = resources.use(started);
  guard = resources.use(await startEgressGuard({ allow: [] }));
  session = resources.use(guard.open(1_000_000));
  service = createServer((socket) => {
    visitorCount += 1;
    socket.on("error", () => undefined).end();
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  resources.defer(() => void service.close());
});
afterAll(() => resources.disposeAsync());

const forever = new AbortController().signal;
const command = (script: string, more: Partial<ToolCommand> = {}): ToolCommand => ({
  path: program,
  args: [script],
  folder,
  sandbox,
  access: { network: "sockets", programs: [program], ways: [session.way] },
  // Long enough for a busy machine; only a tool that hangs reaches it.
  timeoutMs: 240_000,
  killGraceMs: 200,
  maxMemoryBytes: 1_000_000_000,
  ...more,
});

type Run = (script: string, more?: Partial<ToolCommand>, signal?: AbortSignal) => Promise<ToolOutcome>;
const kinds: readonly [string, Run][] = [
  ["a call of the extractor host", (script, more, signal = forever) => host.run(command(script, more), signal)],
  [
    "a yt-dlp that starts by itself",
    async (script, more, signal = forever) =>
      runBoundedTool(await forwardedCommand(sandbox, command(script, more)), signal),
  ],
];

describe.each(kinds)("%s", (_, run) => {
  it("sees neither other jobs nor the server's files, and writes to its own folder only", async () => {
    const hidden = [
      "../job-2/info.json",
      "../../session-keys",
      "/etc/shadow",
      "/proc/1/environ",
      join(import.meta.dirname, "../../../package.json"),
      "/etc/passwd",
    ];
    const closed = [
      program,
      "/usr/sandbox-test",
      "/etc/sandbox-test",
      "/sandbox-test",
      "/dev/sandbox-test",
      "../sandbox-test",
    ];
    const { output } = await run(`
import os
for path in ${JSON.stringify(hidden)}:
    if os.path.exists(path): print("sees", path)
for path in ${JSON.stringify(closed)}:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        print("writes", path)
    except OSError: pass
open("own", "w").write("mine")
print(os.listdir("/proc") if os.path.exists("/proc") else "", os.getcwd(), sorted(os.listdir("${root}")))
`);
    expect(output.trim()).toBe(`${folder} ['scratch', 'tools']`);
    expect(await readFile(join(folder, "own"), "utf8")).toBe("mine");
  });

  it("reaches the egress guard and nothing else", async () => {
    const { port } = service.address() as AddressInfo;
    const before = visitorCount;
    const { output } = await run(`
import os, socket, sys
def answer(port):
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        link.sendall(b"GET http://example.com/ HTTP/1.1\\r\\nHost: example.com\\r\\nConnection: close\\r\\n\\r\\n")
        return link.recv(100).split(b"\\r\\n")[0].decode()
print(answer(${session.way.port}))
for target in (("127.0.0.1", ${port}), ("1.1.1.1", 443)):
    try:
        socket.create_connection(target, 5)
        print("connected")
    except OSError: print("unreachable")
`);
    expect(output.trim().split("\n")).toEqual([expect.stringMatching(/^HTTP\/1.1 407 /), "unreachable", "unreachable"]);
    expect(visitorCount).toBe(before);
  });

  it("starts programs that may open no network socket", async () => {
    const inner = "import socket; socket.socket(socket.AF_INET)";
    const { output } = await run(`
import subprocess
outcome = subprocess.run(["/usr/bin/python3", "-I", "-c", ${JSON.stringify(inner)}], capture_output=True, text=True)
print(outcome.returncode, outcome.stderr.strip().splitlines()[-1])
`);
    expect(output).toMatch(/^1 .*Address family not supported/);
  });

  it("has no rights, no pipe of others and no other process", async () => {
    const { output } = await run(`
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for name, call in {"unshare": lambda: libc.unshare(0x10000000),
    "mount": lambda: libc.mount(b"x", b"/", b"tmpfs", 0, None), "ptrace": lambda: libc.ptrace(16, 1, 0, 0), "umount": lambda: libc.umount2(b"/usr", 2)}.items():
    if call() >= 0: print("may", name)
for number in range(3, 40):
    try:
        # Python itself may keep files open for reading.
        os.write(number, b"x")
        print("writes to", number)
    except OSError: pass
for pid in (${process.pid}, os.getppid() or ${process.ppid}):
    try:
        os.kill(pid, 0)
        print("sees", pid)
    except OSError: pass
print(os.getuid(), "end", libc.prctl(39, 0, 0, 0, 0))
`);
    expect(output.trim().replaceAll(/^sees 1\n/gm, "")).toBe("65534 end 1");
  });

  it("ends when it is aborted, takes too long or too much memory", async () => {
    const endless = "import subprocess; subprocess.run(['sleep', '60'])";
    expect((await run(endless, { timeoutMs: 500 })).ending).toBe("timeout");
    const abort = new AbortController();
    const aborted = run(endless, {}, abort.signal);
    abort.abort(new Error("canceled"));
    await expect(aborted).rejects.toThrow("canceled");
    const { ending } = await run("x = b'x' * 200_000_000\nwhile True: pass", { maxMemoryBytes: 150_000_000 });
    expect(ending).toBe("memory");
  });
});

it("reports the exit code and the output of a call", async () => {
  const outcome = await host.run(
    command("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"),
    forever,
  );
  expect(outcome).toEqual({ ending: "exit", exitCode: 3, output: "out\n", stderrTail: "err\n" });
});

it.each([
  ["of a secret", "session-keys"],
  ["to nothing", "made-by-a-call"],
])("neither writes nor reads through a link %s in the place of the output", async (_what, target) => {
  const before = await readdir(root);
  await symlink(join(root, target), join(folder, "linked.json"));
  const call = host.run(command("print('of the call')", { outputFile: "linked.json" }), forever);
  await expect(call).rejects.toMatchObject({ code: "internal", detail: expect.stringContaining("linked.json") });
  expect(await readFile(join(root, "session-keys"), "utf8")).toBe("secret");
  expect(await readdir(root)).toEqual(before);
  await rm(join(folder, "linked.json"));
});

it("refuses what a call has put in the place of its output", async () => {
  const script = `import os; os.unlink("own.json"); os.symlink("${root}/session-keys", "own.json")`;
  const call = host.run(command(script, { outputFile: "own.json" }), forever);
  await expect(call).rejects.toMatchObject({ code: "internal", detail: expect.stringContaining("own.json") });
});

it("goes on when a file that it reads was replaced", async () => {
  const caFile = join(root, "ca.pem");
  await writeFile(caFile, "before");
  await using own = await startExtractorHost(program, root, caFile, sandbox);
  const read = async (): Promise<ToolOutcome | undefined> =>
    own?.run(command(`print(open("${caFile}").read())`, { access: { readable: [caFile] } }), forever);
  expect(await read()).toMatchObject({ exitCode: 0, output: "before\n" });
  await writeFile(`${caFile}.new`, "after");
  await rename(`${caFile}.new`, caFile);
  expect(await read()).toMatchObject({ exitCode: 0, output: "after\n", stderrTail: "" });
});

it("says why a call has no sandbox", async () => {
  const access = { readable: ["/nonexistent/file"], programs: [program] };
  const { exitCode, stderrTail } = await host.run(command("print(1)", { access }), forever);
  expect(exitCode).toBe(1);
  expect(stderrTail).toContain("the sandbox cannot be made");
});

it("ends a call in time whose host begins none and tells nothing", async () => {
  const silent = join(root, "tools", "silent");
  await makeProgram(
    silent,
    "import sys, time; sys.modules['call_sandbox'].fork_into_namespaces = lambda _: time.sleep(600)",
  );
  await using silentHost = await startExtractorHost(silent, root, undefined, sandbox);
  const outcome = await silentHost?.run(command("print(1)", { path: silent, timeoutMs: 100 }), forever);
  expect(outcome).toMatchObject({ ending: "timeout", exitCode: null });
});
