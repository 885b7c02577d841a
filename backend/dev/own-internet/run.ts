/** Runs main.ts in a network namespace where every address is this machine and nothing else can be reached. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { REPOSITORY_ROOT } from "../repository.ts";

/** A link, and what became of it: `completed`, or the code of its refusal. */
type Outcome = readonly [link: string, outcome: string];

export interface OwnInternetReport {
  /** Private addresses that were contacted without the product, to show that it is seen. */
  readonly seen: readonly string[];
  readonly previews: readonly Outcome[];
  /** Of the same links, and of pages that lead to private addresses. */
  readonly conversions: readonly Outcome[];
  readonly good: readonly Outcome[];
  /** `address:port` of whatever was contacted meanwhile. */
  readonly contacts: readonly string[];
  /** Names by which it was asked. */
  readonly hosts: readonly string[];
}

const ROUTES = "ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo";
const MAX_REPORT_BYTES = 10_000_000;

/** @param folder for a file that the namespace sees as `/etc/resolv.conf` */
async function inOwnInternet(folder: string, command: readonly string[]): Promise<string> {
  const nameServers = path.join(folder, "resolv.conf");
  await writeFile(nameServers, "nameserver 127.0.0.1\n");
  const namespace = ["--die-with-parent", "--unshare-net", "--cap-add", "CAP_NET_ADMIN", "--dev-bind", "/", "/"];
  const mounts = ["--ro-bind", nameServers, "/etc/resolv.conf"];
  const shell = ["sh", "-c", `${ROUTES} && exec "$@"`, "sh"];
  const { stdout } = await promisify(execFile)("bwrap", [...namespace, ...mounts, ...shell, ...command], {
    cwd: REPOSITORY_ROOT,
    maxBuffer: MAX_REPORT_BYTES,
  });
  return stdout;
}

/** @returns why there can be no such namespace on this machine; undefined where there can */
export async function whyNoOwnInternet(folder: string): Promise<string | undefined> {
  try {
    await inOwnInternet(folder, ["true"]);
    return undefined;
  } catch (error) {
    return `bubblewrap, iproute2 and the right to make network namespaces are needed: ${String(error)}`;
  }
}

export async function askHostileLinks(folder: string): Promise<OwnInternetReport> {
  const main = path.join(import.meta.dirname, "main.ts");
  return JSON.parse(await inOwnInternet(folder, [process.execPath, main])) as OwnInternetReport;
}
