/**
 * Programs of a newer Debian on this one: unpacked into a folder with every library that they need, and run there by
 * bubblewrap. Nothing is installed, because apt gets package lists and a state of its own.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { withFolderLock } from "../../../runtime/folder-lock.ts";
import { findOnPath } from "../../../runtime/find-program.ts";
import { runTool } from "../../setup/run-tool.ts";
import type { SetUpOptions } from "../../setup/made-program.ts";
import { SetUpError } from "../../setup/set-up-error.ts";

/** Debian's newest packages, which do not change the version of a program while it is unpacked. */
const SUITE = "sid";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** Every Debian has them, so packages do not name it: a shell, which programs start others with. */
const ALWAYS = ["dash"];
/** Folders that are links in a Debian since 12. */
const MERGED = ["bin", "lib", "lib64", "sbin"];
/** Its user, by which it is not root; its own address. */
const FILES = {
  "etc/passwd": "user:x:1000:1000::/data:/bin/sh\n",
  "etc/group": "user:x:1000:\n",
  "etc/hosts": "127.0.0.1 localhost\n",
  "etc/nsswitch.conf": "hosts: files\n",
};

/**
 * Fetches packages and what they depend on, once.
 * @param root the folder to unpack them into
 * @throws SetUpError on another system than Debian; ToolFailure when a package cannot be fetched
 */
export async function prepareDebianFolder(
  root: string,
  packages: readonly string[],
  options: SetUpOptions,
): Promise<void> {
  await withFolderLock(path.dirname(root), options, async () => {
    if (existsSync(root)) return;
    if (findOnPath("apt-get") === undefined || findOnPath("bwrap") === undefined)
      throw new SetUpError(`${packages.join(", ")} needs Debian with the package bubblewrap.`);
    options.report(`Unpacking ${packages.join(", ")} of Debian ${SUITE} into ${root} …`);
    const draft = `${root}.draft`;
    await rm(draft, { recursive: true, force: true });
    for (const name of MERGED) {
      await mkdir(path.join(draft, "usr", name), { recursive: true });
      await symlink(path.join("usr", name), path.join(draft, name));
    }
    for (const name of ["data", "dev", "etc", "proc", "tmp"]) await mkdir(path.join(draft, name));
    for (const archive of await fetchArchives(`${root}.apt`, packages, options))
      await runTool("dpkg-deb", ["-x", archive, draft], { signal: options.signal });
    for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(draft, name), text);
    await rename(draft, root);
    await rm(`${root}.apt`, { recursive: true });
  });
}

/**
 * @param data the folder that it sees as `/data`, the only one that it may write to
 * @returns the command that runs a command in the folder, as a user without rights, on this machine's network
 */
export function inDebianFolder(
  root: string,
  data: string,
  command: readonly string[],
): [program: string, ...args: string[]] {
  const user = ["--unshare-user", "--uid", "1000", "--gid", "1000"];
  const files = [
    "--ro-bind",
    root,
    "/",
    "--bind",
    data,
    "/data",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
  ];
  const environment = ["--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "LC_ALL", "C.UTF-8"];
  return ["bwrap", "--die-with-parent", ...user, ...files, ...environment, "--", ...command];
}

/** @returns the archives of packages and of all that they depend on */
async function fetchArchives(folder: string, packages: readonly string[], options: SetUpOptions): Promise<string[]> {
  const state = path.join(folder, "state");
  const archives = path.join(folder, "cache", "archives");
  for (const needed of [state, path.join(folder, "lists", "partial"), path.join(archives, "partial")])
    await mkdir(needed, { recursive: true });
  // Nothing is installed in the folder yet, so that apt fetches every library.
  await writeFile(path.join(state, "status"), "");
  const sources = path.join(folder, "sources.list");
  await writeFile(sources, `deb [signed-by=${KEYRING}] ${await siteOfDebian()} ${SUITE} main\n`);
  const settings = {
    "Dir::Etc::sourcelist": sources,
    "Dir::Etc::sourceparts": "-",
    "Dir::State": state,
    "Dir::State::status": path.join(state, "status"),
    "Dir::State::lists": path.join(folder, "lists"),
    "Dir::Cache": path.join(folder, "cache"),
    "APT::Install-Recommends": "false",
    "APT::Sandbox::User": "root",
  };
  const config = path.join(folder, "apt.conf");
  await writeFile(
    config,
    Object.entries(settings)
      .map(([key, value]) => `${key} "${value}";\n`)
      .join(""),
  );
  const run = { ...options, env: { ...process.env, APT_CONFIG: config } };
  await runTool("apt-get", ["update"], run);
  await runTool("apt-get", ["install", "--yes", "--download-only", ...ALWAYS, ...packages], run);
  return (await readdir(archives)).filter((name) => name.endsWith(".deb")).map((name) => path.join(archives, name));
}

/** @returns where this machine gets Debian's packages */
async function siteOfDebian(): Promise<string> {
  const [site = ""] = (await runTool("apt-get", ["indextargets", "--format", "$(SITE)", "Label: Debian"])).split("\n");
  if (site === "") throw new SetUpError("apt names no place of Debian's packages; run `apt-get update`.");
  return site;
}
