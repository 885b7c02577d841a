/**
 * The operator's `npm run block`: adds, removes and lists entries of the block list, and prints its log. Running servers
 * hear of a change through the database; one of them ends jobs and deletes copies.
 */
import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { untilFound } from "../../common/waiting.ts";
import { UserError } from "../../common/errors.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { BlockKind } from "../../common/block-kinds.ts";
import {
  openBlockModels,
  type BlockLogLine,
  type BlockModels,
  type StoredBlock,
} from "../domain/blocks/block-model.ts";
import { addBlock, listBlocks, readBlockLog, removeBlock } from "../domain/blocks/change-blocks.ts";
import { BlockValueError, parseBlockValue } from "../domain/blocks/parse-value.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { connectToSite } from "./connect-to-site.ts";
import { printLine, runCommand } from "./run-command.ts";

const USAGE = `Say what to do:
  npm run block -- add KIND VALUE --reason "WHY" [--until 2027-01-31] [--as NAME]
  npm run block -- remove KIND VALUE [--reason "WHY"] [--as NAME]
  npm run block -- list [KIND]
  npm run block -- log [NUMBER OF LINES]
KIND is one of ${BlockKind.options.join(", ")}; docker/README.md explains them`;

const MAX_REASON_LENGTH = 500;
const MAX_LOG_LINES = 100_000;
/** How long the command waits for a server to apply an entry; a server looks for changes every half second. */
const APPLY_WAIT_MS = 10_000;
const APPLY_POLL_MS = 100;

interface CommandLine {
  readonly words: readonly string[];
  readonly reason: string | undefined;
  readonly until: string | undefined;
  readonly by: string;
}

interface Context {
  readonly domain: { readonly blockRecords: BlockModels; readonly bus: ReturnType<typeof createInProcessBus> };
  readonly parse: (kind: BlockKind, text: string) => string;
}

function readCommandLine(): CommandLine {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { reason: { type: "string" }, until: { type: "string" }, as: { type: "string" } },
    });
    const { reason, until, as: name } = values;
    return { words: positionals, reason: reason?.trim(), until, by: name?.trim() || userInfo().username };
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

/** @throws ConfigError in one sentence */
function readUntil(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const until = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(until.getTime()))
    throw new ConfigError(`--until must be a date such as 2027-01-31 or 2027-01-31T12:00Z, but it is "${text}"`);
  if (until.getTime() <= Date.now()) throw new ConfigError(`--until must lie in the future, but it is ${text}`);
  return until;
}

function readKind(word: string | undefined): BlockKind {
  const kind = BlockKind.safeParse(word);
  if (!kind.success) throw new ConfigError(word === undefined ? USAGE : `"${word}" is no kind of entry.\n${USAGE}`);
  return kind.data;
}

/** Waits until a server has applied the entry. @returns the line of the log; undefined when none did in time */
async function untilApplied(
  { log }: BlockModels,
  { kind, value }: StoredBlock,
  since: Date,
): Promise<BlockLogLine | undefined> {
  const applied = { kind, value, action: "applied" as const, at: { $gte: since } };
  const looks = { everyMs: APPLY_POLL_MS, timeoutMs: APPLY_WAIT_MS };
  return untilFound(() => log.findOne(applied).lean<BlockLogLine>(), looks);
}

async function add({ domain, parse }: Context, { words, reason, until: untilText, by }: CommandLine): Promise<void> {
  const kind = readKind(words[1]);
  const value = parse(kind, words[2] ?? "");
  if (reason === undefined || reason === "" || reason.length > MAX_REASON_LENGTH)
    throw new ConfigError(`Say why, in at most ${MAX_REASON_LENGTH} letters: --reason "…". The log keeps it`);
  const until = readUntil(untilText);
  const since = new Date();
  const entry = await addBlock(domain, { kind, value, reason, by, until });
  printLine(`${kind} ${value} is blocked${until ? ` until ${until.toISOString()}` : ""}`);
  const applied = await untilApplied(domain.blockRecords, entry, since);
  if (applied) printLine(describeApplied(applied));
  else printLine("No server has answered yet: it ends jobs and deletes copies when it runs");
  if (kind === "user")
    printLine("A subscription goes on and is charged: cancel it at the payment provider, or tell the user to");
}

async function remove({ domain, parse }: Context, { words, reason, by }: CommandLine): Promise<void> {
  const kind = readKind(words[1]);
  const value = parse(kind, words[2] ?? "");
  await removeBlock(domain, { kind, value, reason, by });
  printLine(`${kind} ${value} is not blocked any more; deleted copies do not come back`);
}

async function list({ domain }: Context, { words }: CommandLine): Promise<void> {
  const entries = await listBlocks(domain, words[1] === undefined ? undefined : readKind(words[1]));
  for (const { kind, value, reason, by, createdAt, until } of entries)
    printLine(
      [createdAt.toISOString(), by, kind, value, until ? `until ${until.toISOString()}` : "", reason]
        .filter(Boolean)
        .join("  "),
    );
  printLine(entries.length === 1 ? "1 entry" : `${entries.length} entries`);
}

async function printLog({ domain }: Context, { words }: CommandLine): Promise<void> {
  const lines = words[1] === undefined ? undefined : Number(words[1]);
  if (lines !== undefined && !(Number.isInteger(lines) && lines > 0 && lines <= MAX_LOG_LINES))
    throw new ConfigError(`"${words[1]}" is not a number of lines`);
  for (const line of await readBlockLog(domain, lines)) {
    const { at, by, action, kind, value, until, reason } = line;
    const counts = action === "applied" ? describeApplied(line) : "";
    const end = until ? `until ${until.toISOString()}` : "";
    printLine([at.toISOString(), by, action, kind, value, end, counts, reason].filter(Boolean).join("  "));
  }
}

function describeApplied({ endedJobs = 0, files = 0, pictures = 0 }: BlockLogLine): string {
  return `jobs ended: ${endedJobs}, files deleted: ${files}, pictures deleted: ${pictures}`;
}

const COMMANDS = { add, remove, list, log: printLog } as const;

async function block(): Promise<void> {
  const commandLine = readCommandLine();
  const name = commandLine.words[0] ?? "";
  if (!Object.hasOwn(COMMANDS, name)) throw new ConfigError(USAGE);
  // A server needs more variables, but this command must run without them.
  const { MONGODB_URI, DATA_DIR, PUBLIC_URL, VIDEO_HOSTS } = process.env;
  const config = readConfig({ MONGODB_URI, DATA_DIR, PUBLIC_URL, VIDEO_HOSTS });
  const connection = await connectToSite(config);
  const bus = createInProcessBus();
  try {
    const siteHost = new URL(config.publicUrl).hostname;
    const parseContext = { siteHost, videoHosts: config.env.VIDEO_HOSTS };
    const context: Context = {
      domain: { blockRecords: await openBlockModels(connection), bus },
      parse: (kind, text) => parseBlockValue(kind, text, parseContext),
    };
    await COMMANDS[name as keyof typeof COMMANDS](context, commandLine);
  } finally {
    await bus.close();
    await connection.close();
  }
}

await runCommand(block, (error) => error instanceof BlockValueError || error instanceof UserError);
