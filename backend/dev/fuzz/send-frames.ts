/** Holds random conversations with the socket server, many at the same time, and judges its answers. */
import { connect, type Socket } from "node:net";
import * as fc from "fast-check";
import { WEB_SOCKET_UPGRADE } from "../testing/web-socket-bytes.ts";
import { arbitraryConversation, type Conversation, type PollingStep } from "./arbitrary-conversations.ts";
import { exchange, untilClosed } from "./exchange.ts";
import { judgeAnswer, showsInternals } from "./judge-answer.ts";
import { readAnswers } from "./http-answers.ts";
import type { FuzzRun } from "./fuzz-run.ts";
import { encodeFrame, type WebSocketFrame } from "./websocket-frames.ts";

const AT_A_TIME = 12;
const CHUNK = 100;
/** How long a poll is held open before it is broken off. */
const POLL_MS = 30;
const ANSWER_TIMEOUT_MS = 30_000;
const POLLING = "/socket.io/?EIO=4&transport=polling";

/**
 * Holds the next conversations of a run.
 * @param until the number of frames that the tally has at the end, about
 */
export async function sendFrames(run: FuzzRun, until: number): Promise<void> {
  const { tally, seed } = run;
  while (tally.frames < until && !tally.isFull()) {
    const first = tally.conversations;
    const conversations = fc.sample(arbitraryConversation, { numRuns: CHUNK, seed: seed + first }).entries();
    const holdNext = async () => {
      for (const [n, conversation] of conversations) {
        if (tally.frames >= until || tally.isFull()) return;
        await new Talk(run, conversation, first + n).hold();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, holdNext));
    tally.conversations = first + CHUNK;
  }
}

/** One conversation. */
class Talk {
  readonly #run: FuzzRun;
  readonly #conversation: Conversation;
  readonly #number: number;

  constructor(run: FuzzRun, conversation: Conversation, number: number) {
    this.#run = run;
    this.#conversation = conversation;
    this.#number = number;
  }

  async hold(): Promise<void> {
    if (this.#conversation.transport === "polling") return this.#poll(this.#conversation.steps);
    const { frames, ending } = this.#conversation;
    await this.#talkByWebSocket("/socket.io/?EIO=4&transport=websocket", frames, ending);
  }

  async #poll(steps: readonly PollingStep[]): Promise<void> {
    const opened = await this.#call("GET", POLLING, "", ANSWER_TIMEOUT_MS);
    const sid = /"sid":"([^"]+)"/.exec(opened)?.[1];
    if (sid === undefined) return;
    for (const step of steps) await this.#takeStep(step, `${POLLING}&sid=${sid}`);
  }

  async #takeStep(step: PollingStep, path: string): Promise<void> {
    if (step.kind === "post") {
      this.#run.tally.frames += 1;
      await this.#call("POST", path, step.payload, ANSWER_TIMEOUT_MS);
    } else if (step.kind === "poll") await this.#call("GET", path, "", POLL_MS);
    else if (step.kind === "method") await this.#call(step.method, path, "", ANSWER_TIMEOUT_MS);
    else {
      const upgrade = path.replace("transport=polling", "transport=websocket");
      const sockets = Array.from({ length: step.sockets }, () => this.#talkByWebSocket(upgrade, step.frames, "reset"));
      // A poll that is open during the upgrade is answered by it.
      await Promise.all([this.#call("GET", path, "", POLL_MS), ...sockets]);
    }
  }

  /** @returns the body of the answer; "" without one */
  async #call(method: string, path: string, payload: string | Uint8Array, timeoutMs: number): Promise<string> {
    const { server } = this.#run;
    const body = Buffer.from(payload);
    const head = [
      ...this.#head(method, path),
      "Connection: close",
      ...(body.length > 0 ? ["Content-Type: text/plain;charset=UTF-8", `Content-Length: ${body.length}`] : []),
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
    const answers = await exchange(server.origin, this.#number, bytes, { methods: [method], timeoutMs });
    this.#run.tally.count(`${method} /socket.io/ in a conversation`, answers[0]?.status ?? null);
    for (const answer of answers) this.#judge(judgeAnswer(answer), `${method} ${path}`);
    return answers[0]?.body ?? "";
  }

  async #talkByWebSocket(path: string, frames: readonly WebSocketFrame[], ending: "close" | "reset"): Promise<void> {
    const { server, tally } = this.#run;
    const { port } = new URL(server.origin);
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: `127.0.${this.#number % 200}.3` });
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    // The server closes the connection after a wrong frame.
    socket.on("error", () => socket.destroy());
    const closed = untilClosed(socket);
    socket.write(`${[...this.#head("GET", path), ...WEB_SOCKET_UPGRADE].join("\r\n")}\r\n\r\n`);
    await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed]);
    for (const frame of frames) {
      if (!socket.writable) break;
      tally.frames += 1;
      await write(socket, encodeFrame(frame));
    }
    if (ending === "close") socket.end(encodeFrame({ opcode: 8, payload: Buffer.from([0x03, 0xe8]) }));
    // What the server sends until now has arrived when it answers another connection.
    await this.#call("GET", "/healthz", "", ANSWER_TIMEOUT_MS);
    socket.resetAndDestroy();
    await closed;
    this.#judgeSocket(Buffer.concat(received), path);
  }

  #judgeSocket(received: Buffer, path: string): void {
    const [answer] = readAnswers(received, ["GET"], true);
    this.#run.tally.count("WebSocket /socket.io/", answer?.status ?? null);
    if (answer) this.#judge(judgeAnswer(answer), `upgrade ${path}`);
    if (showsInternals(received.toString("latin1"))) this.#judge("a frame shows internals of the server", path);
  }

  #judge(fault: string | null, where: string): void {
    if (fault === null) return;
    const { tally, seed } = this.#run;
    const shown = JSON.stringify(this.#conversation).slice(0, 600);
    tally.find(fault, `conversation ${this.#number} of seed ${seed}, ${where}: ${shown}`);
  }

  #head(method: string, path: string): string[] {
    const { server } = this.#run;
    const cookie = this.#cookie();
    return [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(server.origin).host}`,
      `Origin: ${server.origin}`,
      ...(cookie === "" ? [] : [`Cookie: ${cookie}`]),
    ];
  }

  #cookie(): string {
    const { visitors } = this.#run;
    const ofVisitor = (n: number) => visitors[n % visitors.length]?.device.cookie ?? "";
    switch (this.#conversation.cookies) {
      case "own":
        return ofVisitor(this.#number);
      case "other":
        return ofVisitor(this.#number + 1);
      case "forged":
        return ofVisitor(this.#number).replace(/.$/, "!");
      case "none":
        return "";
    }
  }
}

/** Writes, and lets the server read before the next frame. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => socket.write(bytes, () => setImmediate(resolve)));
}
