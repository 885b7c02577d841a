import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { prepareGoProgram, type GoProgram } from "./go-programs.ts";

const PROGRAM: GoProgram = {
  name: "some-program",
  module: "example.com/some-program@v1",
  need: "A test needs some-program",
  usualTime: "no time",
  buildTimeoutMs: 60_000,
};

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
  await mkdir(path.join(folder, "bin"));
  vi.stubEnv("PATH", `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"]}`);
});
afterEach(() => vi.unstubAllEnvs());

const installed = () => path.join(folder, "tools", "some-program", "some-program");
const prepare = async () =>
  await prepareGoProgram(PROGRAM, {
    dataDir: folder,
    report: () => undefined,
    goFolders: [path.join(folder, "elsewhere")],
  });

/**
 * Makes a `go` that writes this text as the built program and then exits with this code.
 * @param place `bin` is on the PATH
 */
async function fakeGo(text: string, exitCode: number, version = "1.21.0", place = "bin"): Promise<void> {
  const target = '"$GOBIN/some-program"';
  const lines = [
    "#!/bin/sh",
    `if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit; fi`,
    `echo '${text}' > ${target}`,
    `chmod +x ${target}`,
    `exit ${exitCode}`,
    "",
  ];
  await mkdir(path.join(folder, place), { recursive: true });
  await writeFile(path.join(folder, place, "go"), lines.join("\n"), { mode: 0o755 });
}

it("builds a program once", async () => {
  await fakeGo("first", 0);
  expect(await prepare()).toBe(installed());
  await fakeGo("second", 0);
  expect(await prepare()).toBe(installed());
  expect(await readFile(installed(), "utf8")).toBe("first\n");
});

it("does not take the file of a failed build for a finished one", async () => {
  await fakeGo("half a program", 1);
  await expect(prepare()).rejects.toThrow(/^A test needs some-program, which could not be built \(.*install Go/);
  expect((await readdir(path.dirname(installed()))).filter((name) => !name.startsWith(".lock"))).toEqual([]);
  await fakeGo("whole", 0);
  await prepare();
  expect(await readFile(installed(), "utf8")).toBe("whole\n");
});

it("builds again over the draft of a killed build", async () => {
  const draft = path.join(path.dirname(installed()), "draft");
  await mkdir(draft, { recursive: true });
  await writeFile(path.join(draft, "some-program"), "half a program", { mode: 0o755 });
  await fakeGo("whole", 0);
  await prepare();
  expect(await readFile(installed(), "utf8")).toBe("whole\n");
});

it("builds with a newer Go beside an old one on the PATH, and says which one it needs where there is none", async () => {
  await fakeGo("old", 0, "1.19.8");
  await expect(prepare()).rejects.toThrow(/\(no Go here is new enough\): install Go 1\.21 or newer /);
  await fakeGo("new", 0, "1.22.1", "elsewhere");
  await prepare();
  expect(await readFile(installed(), "utf8")).toBe("new\n");
});
