/** Tests the sandbox with programs that try to break out of it. Slower ones are in tool-sandbox.full.test.ts. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostileTools, MIB, SECRET } from "../../dev/testing/hostile-tools.ts";
import type { ToolCommand, ToolOutcome } from "./tool-process.ts";

const tools = hostileTools();
const { shell, python } = tools;
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
    expect(await readFile(join(tools.folder, "own"), "utf8")).toBe("mine\n");
  });

  it("reaches neither this machine nor the internet", async () => {
    const { port } = tools;
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
    expect(tools.visitorCount).toBe(0);
    // The same script connects without the sandbox.
    expect((await python(script, { sandbox: undefined })).output).toMatch(/^connected/);
    await expect.poll(() => tools.visitorCount).toBe(1);
  });

  it("has no network behind its addresses even where it may open sockets", async () => {
    const { port } = tools;
    const before = tools.visitorCount;
    const script = `import socket; socket.create_connection(("127.0.0.1", ${port}), 5)`;
    const { stderrTail } = await python(script, { access: { network: "sockets" } });
    expect(stderrTail).toContain("ConnectionRefusedError");
    expect(tools.visitorCount).toBe(before);
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
    expect((await stat(join(tools.folder, "large"))).size).toBe(0);
  });

  it("cannot take 10 GB of memory", async () => {
    const { ending, exitCode, stderrTail } = await python("x = bytearray(10 << 30)");
    expect({ ending, exitCode }).toEqual({ ending: "exit", exitCode: 1 });
    expect(stderrTail).toContain("MemoryError");
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
    const given = join(tools.root, "given");
    await writeFile(given, "given");
    const { output, stderrTail } = await shell(`cat ${given}; echo changed > ${given}`, {
      access: { readable: [given] },
    });
    expect(output).toBe("given");
    expect(stderrTail).toContain("Read-only file system");
  });

  it("rejects when the sandbox cannot be made", async () => {
    await expect(shell("true", { access: { readable: ["/nonexistent/file"] } })).rejects.toMatchObject({
      code: "internal",
      detail: expect.stringContaining("no sandbox for /bin/sh: bwrap: Can't find source path"),
    });
  });
});
