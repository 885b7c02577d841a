/** The words of the command line. */
import { parseArgs } from "node:util";
import { isYouTubeHost } from "../../common/hosts.ts";
import { readLinks } from "../../common/links/read-links.ts";
import { Format } from "../../common/tiers.ts";
import { CommandError, EXIT } from "./command-error.ts";

export const HELP = `Usage: tapedeck [options] LINK...
       tapedeck login [--server ADDRESS]

Converts the links on a Tapedeck server and saves the files here.

  --mp3 --mp4 --original --flac --wav --transcript
                      what to convert to (default: --mp3)
  -o, --output DIR    folder for the files (default: the current one)
  --server ADDRESS    the server (or TAPEDECK_URL)
  --token TOKEN       a token of your dashboard with the scopes read, convert and
                      download (or TAPEDECK_TOKEN, which other users cannot see)
  --wait SECONDS      how long to wait for a server that has gone (default: 60)
  --json              one JSON object a line for each change, as into a pipe
  -h, --help          this text

"tapedeck login" asks for both, and keeps them in a file that only you can read.
No file is overwritten. Ctrl-C cancels the conversions, a second Ctrl-C leaves.

Exit codes: 0 all files are saved; 1 a conversion or a download failed;
2 wrong usage; 3 no connection, or the token was refused; 130 interrupted.
`;

/** Longest wait, in seconds: a day. */
const MAX_WAIT_SECONDS = 86_400;

export interface ConvertArguments {
  readonly command: "convert";
  /** Each once. */
  readonly links: readonly string[];
  readonly format: Format;
  readonly folder: string;
  readonly server: string | undefined;
  readonly token: string | undefined;
  readonly waitMs: number;
  readonly isJson: boolean;
}

export type CommandArguments =
  | ConvertArguments
  | { readonly command: "login"; readonly server: string | undefined; readonly token: string | undefined }
  | { readonly command: "help" };

/** @throws CommandError usage */
export function readArguments(words: readonly string[]): CommandArguments {
  const { values, positionals } = parse(words);
  if (values.help) return { command: "help" };
  if (positionals[0] === "login") {
    if (positionals.length > 1) throw usage(`"tapedeck login" takes no ${positionals[1]}.`);
    return { command: "login", server: values.server, token: values.token };
  }
  if (positionals.length === 0) throw usage("Name at least one link.");
  for (const link of positionals) requireWhole(link);
  return {
    command: "convert",
    links: [...new Set(positionals)],
    format: formatOf(values),
    folder: values.output,
    server: values.server,
    token: values.token,
    waitMs: readSeconds(values.wait) * 1_000,
    isJson: values.json,
  };
}

/** What a link is, the server finds out. Only here it is known that a shell may have cut it. */
function requireWhole(link: string): void {
  const { links, refusals } = readLinks(link, ({ hostname }) => isYouTubeHost(hostname));
  if (links.length === 0 && refusals.some(({ reason }) => reason === "link_cut_off"))
    throw new CommandError(EXIT.usage, `${link} is cut off. Put the link in quotes: a shell ends a word at &.`);
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        mp3: { type: "boolean" },
        mp4: { type: "boolean" },
        original: { type: "boolean" },
        flac: { type: "boolean" },
        wav: { type: "boolean" },
        transcript: { type: "boolean" },
        output: { type: "string", short: "o", default: "." },
        server: { type: "string" },
        token: { type: "string" },
        wait: { type: "string", default: "60" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    // Its errors are about the words that it was given.
    if (error instanceof TypeError) throw usage(error.message);
    throw error;
  }
}

function formatOf(values: Partial<Readonly<Record<Format, boolean>>>): Format {
  const [format = "mp3", second] = Format.options.filter((name) => values[name]);
  if (second !== undefined) throw usage(`Choose --${format} or --${second}, not both.`);
  return format;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw usage(`--wait must be a number of seconds up to ${MAX_WAIT_SECONDS}.`);
}

function usage(message: string): CommandError {
  return new CommandError(EXIT.usage, `${message} "tapedeck --help" lists what can be said.`);
}
