/** Which paths of this machine a tool sees in its sandbox: the system's programs and libraries, and its own program. */
import { existsSync, readlinkSync, statSync } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

export type Mount =
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "readable" | "writable" | "device"; readonly path: string; readonly source: string };

const PROGRAM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];
/** Settings of libraries: where they are, certificates, fonts. Nothing about this machine's users or services. */
const LIBRARY_SETTINGS = [
  ["alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types"],
  ["ssl", "pki", "ca-certificates", "crypto-policies", "fonts"],
].flatMap((names) => names.map((name) => `/etc/${name}`));
/** For a tool that uses this machine's network. */
const NETWORK_SETTINGS = ["gai.conf", "hosts", "nsswitch.conf", "pip.conf", "resolv.conf"].map(
  (name) => `/etc/${name}`,
);
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
/** The kernel reads no more of a script's first line. */
const MAX_SHEBANG_BYTES = 256;

export const readable = (path: string): Mount => ({ kind: "readable", path, source: path });
export const writable = (path: string): Mount => ({ kind: "writable", path, source: path });

/** @returns what every tool sees; there is no /proc and no folder for temporary files */
export function systemMounts(): readonly Mount[] {
  const folders = PROGRAM_FOLDERS.filter((path) => existsSync(path)).map(linkOrReadable);
  const settings = LIBRARY_SETTINGS.filter((path) => existsSync(path)).map(readable);
  const devices = DEVICES.map((path): Mount => ({ kind: "device", path, source: path }));
  return [...folders, ...settings, ...devices];
}

export function networkMounts(): readonly Mount[] {
  return NETWORK_SETTINGS.filter((path) => existsSync(path)).map(readable);
}

function linkOrReadable(path: string): Mount {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() && isLink(path)
    ? { kind: "link", path, target: readlinkSync(path) }
    : readable(path);
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EINVAL") return false;
    throw error;
  }
}

const isInSystem = (path: string): boolean => PROGRAM_FOLDERS.some((folder) => path.startsWith(`${folder}/`));

/**
 * Finds what a program outside of the system's folders needs: its file, the libraries beside it, its virtual
 * environment, and the interpreter of a script.
 * @param path absolute; a bare name is found in the system's folders and needs nothing
 */
export async function programMounts(path: string): Promise<readonly Mount[]> {
  return withoutCovered(await programPaths(path)).map(readable);
}

async function programPaths(path: string): Promise<readonly string[]> {
  const chain = await linkChain(path);
  const real = chain.at(-1);
  // A bare name, or a missing program: then the tool's own error says so.
  if (!path.startsWith("/") || real === undefined) return [];
  const environments = await Promise.all(chain.map(environmentOf));
  const interpreter = await interpreterOf(real);
  return [
    ...environments.flatMap((environment) => environment ?? []),
    ...chain.filter((each) => !isInSystem(each)),
    ...(isInSystem(real) ? [] : librariesBeside(real)),
    ...(interpreter === undefined ? [] : await programPaths(interpreter)),
  ];
}

/** @returns the path and where its symbolic links lead to; empty when that does not exist */
async function linkChain(path: string): Promise<string[]> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return [];
  const chain = [path];
  for (let each = path; ;) {
    const target = await readlink(each).catch(() => undefined);
    if (target === undefined) return [...chain, real];
    each = resolve(dirname(each), target);
    chain.push(each);
  }
}

/** Leaves out paths that lie in another one. */
export function withoutCovered(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** @returns the virtual environment of Python that the program lies in */
async function environmentOf(path: string): Promise<string | undefined> {
  const home = dirname(dirname(path));
  return (await isFile(join(home, "pyvenv.cfg"))) ? home : undefined;
}

/** `prefix/lib` of a program in `prefix/bin`. */
function librariesBeside(real: string): string[] {
  if (basename(dirname(real)) !== "bin") return [];
  return ["lib", "lib64"].map((name) => join(dirname(dirname(real)), name)).filter((path) => existsSync(path));
}

/** @returns the absolute path in the first line of a script */
async function interpreterOf(path: string): Promise<string | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SHEBANG_BYTES), 0, MAX_SHEBANG_BYTES, 0);
  return /^#!\s*(\/\S+)/.exec(buffer.subarray(0, bytesRead).toString("latin1"))?.[1];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
