/** The image is made for two kinds of processors. What depends on the processor must be there for both. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { testFolder } from "../testing/test-folder.ts";
import { seccompFilter } from "../../pipeline/process/seccomp-filter.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

const read = (...names: string[]) => readFile(join(REPOSITORY_ROOT, ...names), "utf8");

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});

it("is made for both", async () => {
  expect(await read(".github", "workflows", "release.yml")).toContain("platforms: linux/amd64,linux/arm64\n");
});

it("has the native packages of npm for both", async () => {
  const Package = z.object({ os: z.string().array().default([]), dev: z.boolean().default(false) });
  const { packages } = z
    .object({ packages: z.record(z.string(), Package) })
    .parse(JSON.parse(await read("package-lock.json")));
  const native = Object.entries(packages).filter(
    ([name, { os, dev }]) => os.includes("linux") && !dev && name.includes("x64"),
  );
  expect(native.length).toBeGreaterThan(0);
  for (const [name] of native) expect(Object.keys(packages)).toContain(name.replace("x64", "arm64"));
});

it("confines tools and containers on both", async () => {
  for (const arch of ["x64", "arm64"]) expect(seccompFilter("none", arch)?.length).toBeGreaterThan(0);
  const { architectures } = z
    .object({ architectures: z.string().array() })
    .parse(JSON.parse(await read("docker", "seccomp.json")));
  expect(architectures).toEqual(["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]);
  const sandbox = await read("backend", "pipeline", "extractor-host", "call_sandbox.py");
  for (const table of ["CLONE", "PIVOT_ROOT"])
    expect(sandbox).toMatch(new RegExp(String.raw`^${table} = \{"x86_64": \d+, "aarch64": \d+\}$`, "m"));
});

it("keeps Debian's encoder of MP3s where there is no build of its own", async () => {
  const programs = join(folder, "programs");
  await mkdir(programs);
  await writeFile(join(programs, "dpkg"), "#!/bin/sh\necho arm64\n", { mode: 0o755 });
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"]}` };
  const script = join(REPOSITORY_ROOT, "docker", "build-lame.sh");
  await promisify(execFile)("sh", [script, join(folder, "lame")], { env });
  expect(await readdir(join(folder, "lame"))).toEqual([]);
});
