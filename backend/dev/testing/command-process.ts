/** Runs the command for a test, as a shell does. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { REPOSITORY_ROOT } from "../repository.ts";

const COMMAND = path.join(REPOSITORY_ROOT, "frontend/command-line/tapedeck.js");

export interface CommandOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** In a pseudo terminal of so many columns; else all of its output goes into pipes. */
  readonly columns?: number;
  readonly nodeOptions?: readonly string[];
}

export class CommandProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  readonly #waiting = new Set<() => void>();
  output = "";
  errors = "";

  constructor(words: readonly string[], { folder, environment = {}, columns, nodeOptions = [] }: CommandOptions) {
    const command = [process.execPath, ...nodeOptions, COMMAND, ...words];
    // `script` of util-linux is part of every Debian.
    const [program = "", ...rest] =
      columns === undefined
        ? command
        : ["script", "-qefc", `stty cols ${columns}; exec ${command.map(quote).join(" ")}`, "/dev/null"];
    this.#child = spawn(program, rest, {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, SHELL: "/bin/sh", ...compileCache(), ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#ended = once(this.#child, "close");
    // The encoding is set, because a chunk may end within a letter.
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#add(() => (this.output += text)));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#add(() => (this.errors += text)));
  }

  /** The lines of the output that are whole, as JSON. */
  get events(): Record<string, unknown>[] {
    return this.output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Resolves when the output has what is looked for. @throws Error when the command ends before */
  async until(isThere: (command: this) => boolean): Promise<void> {
    const hasEnded = this.#ended.then(() => {
      if (!isThere(this)) throw new Error(`the command has ended: ${this.output}${this.errors}`);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => (isThere(this) ? resolve() : undefined);
    this.#waiting.add(look);
    look();
    await Promise.race([promise, hasEnded]);
    this.#waiting.delete(look);
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves with the exit code when the command has ended. */
  async ended(): Promise<number | null> {
    const [code] = await this.#ended;
    return code as number | null;
  }

  #add(append: () => void): void {
    append();
    for (const look of this.#waiting) look();
  }
}

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

function compileCache(): Record<string, string> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
