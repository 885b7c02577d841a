/**
 * Runs Python and pip in the sandbox of tools. They read the system's programs and what pip's settings name, write to
 * one folder, and reach the package index alone.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { ConversionError } from "../../common/errors.ts";
import { parseJson } from "../../common/parse-json.ts";
import { forwardedProgram } from "../pipeline/extractor-host/extractor-sandbox.ts";
import { runBoundedTool, type ToolCommand } from "../pipeline/process/tool-process.ts";
import type { ToolAccess, ToolSandbox } from "../pipeline/process/tool-sandbox.ts";
import { IndexHosts, openIndexGate } from "./index-gate.ts";

const MB = 1_000_000;
/** pip resolves in seconds; the rest is for slow networks. */
const LIMITS = { timeoutMs: 15 * 60_000, killGraceMs: 2_000, maxMemoryBytes: 1_500 * MB, maxOutputBytes: 16 * MB };
/** Conversions get the processor first. */
const POLITE = ["nice", "-n", "10"];
const HOSTS_PROGRAM = path.join(import.meta.dirname, "pip_hosts.py");
const MODULE_PROGRAM = path.join(import.meta.dirname, "run_module.py");
const PIP_SETTINGS = "/etc/pip.conf";
const PIP_OPTIONS = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--retries=2"];
/** pip reaches the index by the gate, which knows them. */
const PROXY_VARIABLE = /^(?:https?|all|no)_proxy$/i;

/** A release could not be installed: no network, a full disk, no Python. The next try may succeed. */
export class InstallError extends Error {}

export interface InstallerOptions {
  /** Program and arguments of the Python that makes the environment. */
  readonly python: readonly string[];
  /** Absent: nothing is installed, because what comes from an index is foreign. */
  readonly sandbox: ToolSandbox | undefined;
  /** Environment variables of pip: index, proxy, certificates. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Command in front of each command. */
  readonly prefix?: readonly string[];
}

/** One command of an installation. */
interface Step {
  readonly options: InstallerOptions;
  readonly python: readonly string[];
  /** Working folder of the command, and the only one that it writes to. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Runs Python without a network.
 * @returns standard output
 * @throws InstallError, `signal.reason` when aborted
 */
export function runPython(step: Step, args: readonly string[]): Promise<string> {
  const { python, options } = step;
  const [program = "", ...pythonArgs] = python;
  return run(
    step,
    { path: program, args: [...pythonArgs, "-I", ...args], access: accessOf(step) },
    options.environment,
  );
}

/**
 * Runs `pip install`.
 * @returns standard output
 * @throws InstallError, `signal.reason` when aborted
 */
export async function runPip(step: Step, args: readonly string[]): Promise<string> {
  const { options, python } = step;
  const hosts = IndexHosts.safeParse(parseJson(await runPython(step, [HOSTS_PROGRAM])));
  if (!hosts.success) throw new InstallError("pip does not say which index it asks");
  await using gate = await openIndexGate(hosts.data);
  const access = { ...accessOf(step), network: "sockets", ways: [gate.way] } as const;
  const pip = ["pip", "install", `--proxy=${gate.proxyUrl}`, ...PIP_OPTIONS, ...args];
  const command = { path: MODULE_PROGRAM, args: pip, access, folder: step.folder, ...LIMITS };
  const enclosed = forwardedProgram(sandboxOf(options), command, python);
  const variables = Object.entries(options.environment ?? {}).filter(([name]) => !PROXY_VARIABLE.test(name));
  return await run(step, enclosed, Object.fromEntries(variables));
}

function sandboxOf({ sandbox }: InstallerOptions): ToolSandbox {
  if (sandbox) return sandbox;
  throw new InstallError("nothing of a package index is installed without a sandbox");
}

/** Besides the programs, Python reads what pip's variables name: certificates, settings, folders of packages. */
function accessOf({ options: { environment = {} }, python: [program = ""] }: Step): ToolAccess {
  const named = Object.values(environment).flatMap((value) => value.split(/\s+/));
  const files = [PIP_SETTINGS, HOSTS_PROGRAM, MODULE_PROGRAM, ...named];
  return { programs: [program], readable: files.filter((file) => path.isAbsolute(file) && existsSync(file)) };
}

async function run(
  { options, folder, signal }: Step,
  { path: program, args, access }: Pick<ToolCommand, "path" | "args" | "access">,
  environment: Readonly<Record<string, string>> | undefined,
): Promise<string> {
  const sandbox = sandboxOf(options);
  const [first = "", ...rest] = [...(options.prefix ?? POLITE), program, ...args];
  try {
    const command = { ...LIMITS, path: first, args: rest, folder, sandbox, access, environment };
    const outcome = await runBoundedTool(command, signal);
    if (outcome.ending === "exit" && outcome.exitCode === 0) return outcome.output;
    throw new InstallError(describeFailure(outcome.ending, `${outcome.stderrTail}\n${outcome.output}`));
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new InstallError(`${program} does not start: ${error.detail}`, { cause: error });
  }
}

/** @returns the error line of pip, or its last line */
function describeFailure(ending: string, output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((text) => /^(?:ERROR|\w*Error)\b/.test(text)) ?? lines.at(-1) ?? "no output";
  return `${ending === "exit" ? "" : `ended by ${ending}: `}${line.trim().slice(0, 300)}`;
}
