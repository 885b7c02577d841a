/** Tests the sandbox with programs that try to break out of it, run in the way of all tools. */
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { DEFAULT_PIPELINE_LIMITS } from "../limits.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "./tool-process.ts";
import { maxToolProcesses, type ToolSandbox } from "./tool-sandbox.ts";

const MIB = 1_048_576;
/** As root, a test would pass where only the permissions of files protect them. */
const SECRET = "a secret of the server";

let root: string;
/** Folder of the hostile tool. */
let folder: string;
let sandbox: ToolSandbox;
/** Counts who reaches a service of this machine. */
let service: Server;
let visitorCount = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sandbox-"));
  folder = join(root, "scratch", "job-1");
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, "scratch", "job-2"));
  for (const file of ["scratch/job-2/source.mp4", "session-keys", ".env"]) await writeFile(join(root, file), SECRET);
  sandbox = await openTestSandbox();
  service = createServer((socket) => {
    visitorCount += 1;
    // A visitor may leave at once.
    socket.on("error", () => undefined);
    socket.end("SSH-2.0\r\n");
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
});
afterAll(async () => {
  service.close();
  await rm(root, { recursive: true });
});

// Long enough for a busy machine; only a tool that hangs reaches it.
const limits = { timeoutMs: 240_000, killGraceMs: 200, maxMemoryBytes: 512 * MIB };
const forever = new AbortController().signal;
const run = (path: string, args: readonly string[], more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
  runBoundedTool({ path, args, folder, sandbox, ...limits, ...more }, forever);
const shell = (script: string, more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
  run("/bin/sh", ["-c", script], more);
const python = (script: string, more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
  run("/usr/bin/python3", ["-I", "-c", script], more);
const outputOf = async (outcome: Promise<ToolOutcome>): Promise<string> => {
  const { output, stderrTail } = await outcome;
  return `${output}${stderrTail}`;
};

describe("a tool in the sandbox", () => {
  it.each([
    ["users' passwords", "/etc/shadow"],
    ["another job's source", "../job-2/source.mp4"],
    ["a key in DATA_DIR", "../../session-keys"],
    ["the server's settings", "../../.env"],
    ["the environment of another process", "/proc/1/environ"],
    ["the server's code", join(import.meta.dirname, "tool-sandbox.ts")],
    ["the home folder", process.env["HOME"] ?? "/root"],
  ])("does not see %s", async (_, path) => {
    expect(await outputOf(shell(`ls ${path}; cat ${path}`))).toMatch(/No such file[^]*No such file/);
  });

  it("has neither the environment of the server nor a view of its processes", async () => {
    process.env["S3_SECRET_ACCESS_KEY"] = SECRET;
    const { output } = await shell(`env; echo; echo $$; kill -0 ${process.pid} || echo hidden`);
    delete process.env["S3_SECRET_ACCESS_KEY"];
    expect(output).not.toContain(SECRET);
    expect(output).toMatch(/\n\n\d\nhidden\n$/);
  });

  it("writes to its own folder only", async () => {
    const folders = ["/", "/usr", "/usr/bin", "/etc", "/etc/ssl", "/dev", "/tmp", "..", "../.."];
    const paths = folders.map((each) => `${each}/sandbox-test-${process.pid}`);
    const { output, exitCode } = await shell(
      `for path in ${paths.join(" ")}; do (: > $path) && echo wrote $path; done; echo mine > own`,
    );
    expect({ output, exitCode }).toEqual({ output: "", exitCode: 0 });
    expect(await readFile(join(folder, "own"), "utf8")).toBe("mine\n");
  });

  it("reaches neither this machine nor the internet", async () => {
    const { port } = service.address() as AddressInfo;
    const connect = (family: string, address: string): string =>
      `try:\n s = socket.socket(socket.${family}); s.settimeout(5); s.connect(${address}); print("connected")\n` +
      `except OSError as error: print(type(error).__name__)\n`;
    const script = `import socket\n${[
      connect("AF_INET", `("127.0.0.1", ${port})`),
      connect("AF_INET", `("1.1.1.1", 443)`),
      connect("AF_INET6", `("::1", ${port})`),
      connect("AF_VSOCK", "(2, 22)"),
      connect("AF_UNIX", `"/run/dbus/system_bus_socket"`),
    ].join("")}`;
    const { output } = await python(script);
    expect(output.trim().split("\n")).toHaveLength(5);
    expect(output).not.toContain("connected");
    expect(visitorCount).toBe(0);
    // The same script connects without the sandbox.
    expect((await python(script, { sandbox: undefined })).output).toMatch(/^connected/);
    await expect.poll(() => visitorCount).toBe(1);
  });

  it("has no network behind its addresses even where it may open sockets", async () => {
    const { port } = service.address() as AddressInfo;
    const before = visitorCount;
    const script = `import socket; socket.create_connection(("127.0.0.1", ${port}), 5)`;
    const { stderrTail } = await python(script, { access: { network: "sockets" } });
    expect(stderrTail).toContain("ConnectionRefusedError");
    expect(visitorCount).toBe(before);
  });

  it("may not use the calls that attacks on a kernel need", async () => {
    const script = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def result(number, *args):
    ctypes.set_errno(0)
    return os.strerror(ctypes.get_errno()) if libc.syscall(number, *args) < 0 else "allowed"
x64 = os.uname().machine == "x86_64"
calls = dict(ptrace=(101, 117), mount=(165, 40), unshare=(272, 97), setns=(308, 268), keyctl=(250, 219), bpf=(321, 280),
    userfaultfd=(323, 282), perf=(298, 241), kexec=(246, 104), read_memory=(310, 270), io_uring=(425, 425),
    open_tree=(428, 428))
for name, numbers in calls.items():
    print(name, result(numbers[0 if x64 else 1], 0, 0, 0, 0, 0))
clone = 56 if x64 else 220
print("clone", result(clone, 0x10000000 | 17, 0, 0, 0, 0))
print("clone3", result(435, 0, 0))
`;
    const { output } = await python(script);
    const lines = output.trim().split("\n");
    expect(lines).toHaveLength(14);
    expect(lines.filter((line) => !line.endsWith("Operation not permitted"))).toEqual([
      "clone3 Function not implemented",
    ]);
    const status = await shell("setpriv --dump");
    expect(status.output).toMatch(/no_new_privs: 1[^]*Capability bounding set: \[none\]/);
    expect(status.output).toMatch(/^uid: 65534$/m);
  });

  it("cannot write a file of 10 GB", async () => {
    const { exitCode } = await shell("exec dd if=/dev/zero of=large bs=1 count=1 seek=10G");
    expect(exitCode).not.toBe(0);
    expect((await stat(join(folder, "large"))).size).toBe(0);
  });

  it("cannot take 10 GB of memory", async () => {
    const { ending, exitCode, stderrTail } = await python("x = bytearray(10 << 30)");
    expect({ ending, exitCode }).toEqual({ ending: "exit", exitCode: 1 });
    expect(stderrTail).toContain("MemoryError");
  });

  it("cannot start 10,000 processes", async () => {
    const outcome = await shell("for i in $(seq 10000); do sleep 60 & done; wait");
    // A limit of the kernel holds for ordinary users; root's processes are counted by the server.
    expect(outcome.ending === "memory" || outcome.stderrTail.includes("Cannot fork")).toBe(true);
    expect(maxToolProcesses()).toBeLessThan(1_000);
  });

  it("ends with its children when it exits, is aborted or takes too long", async () => {
    // A child keeps the end of this pipe open.
    const waits = "sleep 60 & sleep 60 & ";
    expect((await shell(`${waits} echo done`)).output).toBe("done\n");
    expect((await shell(`${waits} wait`, { timeoutMs: 300 })).ending).toBe("timeout");
    const abort = new AbortController();
    const onLine = (): void => abort.abort(new Error("canceled"));
    const command: ToolCommand = {
      ...limits,
      path: "/bin/sh",
      args: ["-c", `trap '' TERM; ${waits} echo started; wait`],
      folder,
      sandbox,
      onLine,
    };
    await expect(runBoundedTool(command, abort.signal)).rejects.toThrow("canceled");
  });

  it("is measured with its children", async () => {
    // The child keeps what it has taken: one that takes ever more meets the kernel's limit if it is measured late.
    const outcome = await shell("dd if=/dev/zero of=/dev/null bs=200M; true", { maxMemoryBytes: 100 * MIB });
    expect(outcome.ending).toBe("memory");
  });

  it("reads and writes its pipes", async () => {
    const feed =
      (text: string): NonNullable<ToolCommand["feed"]> =>
      async (pipe) => {
        pipe.end(text);
      };
    const outcome = await shell("cat; cat <&3; cat <&4; exit 3", {
      feed: feed("a"),
      moreFeeds: [feed("b"), feed("c")],
    });
    expect(outcome).toMatchObject({ ending: "exit", exitCode: 3, output: "abc" });
  });

  it("reads what it is given, and cannot change it", async () => {
    const given = join(root, "given");
    await writeFile(given, "given");
    const { output, stderrTail } = await shell(`cat ${given}; echo changed > ${given}`, {
      access: { readable: [given] },
    });
    expect(output).toBe("given");
    expect(stderrTail).toContain("Read-only file system");
  });

  it("finds a program outside of the system's folders", async () => {
    const { ytDlpPath } = inject("toolPaths");
    expect((await run(process.execPath, ["-p", "1 + 1"], { maxMemoryBytes: 1_024 * MIB })).output).toBe("2\n");
    expect((await run(ytDlpPath, ["--version"])).output).toMatch(/^\d{4}\.\d\d/);
  });

  it("rejects when the sandbox cannot be made", async () => {
    await expect(shell("true", { access: { readable: ["/nonexistent/file"] } })).rejects.toMatchObject({
      code: "internal",
      detail: expect.stringContaining("no sandbox for /bin/sh: bwrap: Can't find source path"),
    });
  });
});

describe("ffmpeg in the sandbox", () => {
  const { ffmpegPath } = inject("toolPaths");
  const convert = (args: readonly string[]): Promise<ToolOutcome> =>
    run(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], {
      maxMemoryBytes: DEFAULT_PIPELINE_LIMITS.maxToolMemoryBytes,
    });

  it("does not follow what a playlist or script names outside of its folder", async () => {
    const { port } = service.address() as AddressInfo;
    const before = visitorCount;
    const http = `http://127.0.0.1:${port}/a.ts`;
    const file = `file://${join(root, "scratch", "job-2", "source.mp4")}`;
    await writeFile(
      join(folder, "http.m3u8"),
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${http}\n#EXT-X-ENDLIST\n`,
    );
    await writeFile(join(folder, "script.ffconcat"), `ffconcat version 1.0\nfile '${file}'\n`);
    // Without the options that refuse such inputs, as if ffmpeg had a mistake there.
    const open = [
      "-protocol_whitelist",
      "file,http,tcp,concat,crypto,data",
      "-allowed_extensions",
      "ALL",
      "-safe",
      "0",
    ];
    for (const input of [
      "http.m3u8",
      "script.ffconcat",
      "concat:/etc/passwd|/etc/shadow",
      "file:///etc/passwd",
      http,
    ]) {
      const some = input.endsWith("m3u8") ? open : input.endsWith("concat") ? [...open.slice(0, 2), "-safe", "0"] : [];
      const { exitCode, stderrTail } = await convert([...some, "-i", input, "-f", "null", "-"]);
      expect({ input, exitCode: exitCode === 0, stderrTail }).toMatchObject({
        exitCode: false,
        stderrTail: expect.stringMatching(
          /No such file|not supported by protocol|refused|Error opening|Input\/output|unreachable/i,
        ),
      });
    }
    expect(visitorCount).toBe(before);
  });

  it("makes an MP4 and an MP3", async () => {
    const source = ["-f", "lavfi", "-i", "testsrc=d=1:s=320x180", "-f", "lavfi", "-i", "sine=d=1"];
    const outcomes = [
      await convert([...source, "-c:v", "libx264", "-c:a", "aac", "clip.mp4"]),
      await convert(["-i", "clip.mp4", "-c:a", "libmp3lame", "clip.mp3"]),
    ];
    expect(outcomes.map(({ exitCode, stderrTail }) => ({ exitCode, stderrTail }))).toEqual([
      { exitCode: 0, stderrTail: "" },
      { exitCode: 0, stderrTail: "" },
    ]);
  });
});
