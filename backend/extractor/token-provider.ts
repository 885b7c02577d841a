/**
 * A provider of proof-of-origin tokens: a bgutil server on this machine. yt-dlp asks it through a plugin, without the
 * egress guard, and names the guard's address of the call, so that the provider reaches YouTube through the exit of the
 * job. This part looks whether the provider answers, and keeps the plugin in the provider's version.
 */
import PQueue from "p-queue";
import { z } from "zod";
import { InstallError } from "./run-installer.ts";
import type { TokenPlugin } from "./token-plugin.ts";

const PING_TIMEOUT_MS = 5_000;
const INTERVAL_MS = 5 * 60_000;
const Pong = z.object({ version: z.string().max(50) });

export interface TokenProviderOptions {
  /** Such as http://127.0.0.1:4416 */
  readonly address: string;
  /** Null: the operator brings the plugin. */
  readonly plugin: TokenPlugin | null;
  readonly log: { info(line: string): void; warn(line: string): void };
}

export class TokenProvider implements AsyncDisposable {
  readonly #options: TokenProviderOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #work = new PQueue({ concurrency: 1 });
  /** What the log said last: the version, or that the provider does not answer. */
  #logged: string | undefined;

  constructor(options: TokenProviderOptions) {
    this.#options = options;
  }

  /** Checks the provider once, and then every few minutes. The plugin is installed in the background. */
  async start(): Promise<void> {
    const version = await this.#ping();
    this.#run(() => this.#keepPlugin(version));
    this.#timer = setInterval(() => this.#run(async () => this.#keepPlugin(await this.#ping())), INTERVAL_MS).unref();
  }

  /** Resolves when the installation that runs has ended. */
  async settled(): Promise<void> {
    await this.#work.onIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error("the server stops"));
    await this.#work.onIdle();
  }

  /** @returns the provider's version; undefined when it does not answer */
  async #ping(): Promise<string | undefined> {
    const { address, log } = this.#options;
    try {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PING_TIMEOUT_MS)]);
      const response = await fetch(new URL("/ping", address), { signal, redirect: "error" });
      const { version } = Pong.parse(await response.json());
      if (this.#logged !== version) log.info(`the token provider at ${address} answers: version ${version}`);
      this.#logged = version;
      return version;
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined;
      if (this.#logged !== "")
        log.warn(
          `the token provider at ${address} does not answer (${reasonOf(error)}). Formats of YouTube that need a token ` +
            "are left out until it does; start it, or unset YOUTUBE_TOKEN_PROVIDER.",
        );
      this.#logged = "";
      return undefined;
    }
  }

  async #keepPlugin(version: string | undefined): Promise<void> {
    const { plugin, log } = this.#options;
    if (!plugin) return;
    const before = await plugin.version();
    const after = await plugin.install(version, this.#stopping.signal);
    if (before !== after) log.info(`the plugin of the token provider is installed: version ${after}`);
  }

  /** Runs one piece of work at a time; `asyncDispose` waits for it. */
  #run(work: () => Promise<void>): void {
    this.#work.add(work).catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      const reason = error instanceof InstallError ? error.message : String(error);
      this.#options.log.warn(
        `the plugin of the token provider could not be installed (${reason}), so no token is asked for. ` +
          "It is tried again; or put the plugin into YOUTUBE_PLUGINS_FOLDER.",
      );
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return error.cause.message;
  return error instanceof z.ZodError || error instanceof SyntaxError ? "it is another program" : String(error);
}
