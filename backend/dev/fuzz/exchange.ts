/** Sends the bytes of requests on one connection, and reads the answers. */
import { connect, type Socket } from "node:net";
import { readAnswers, type HttpAnswer } from "./http-answers.ts";

/**
 * Reads until every request has its answer, the server closes the connection, or the time is over.
 * @param number chooses the address from which they come: one of 200 networks of this machine
 * @param options.methods methods of the requests, in order
 */
export async function exchange(
  origin: string,
  number: number,
  bytes: Buffer,
  { methods, timeoutMs }: { readonly methods: readonly string[]; readonly timeoutMs: number },
): Promise<HttpAnswer[]> {
  const { port } = new URL(origin);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: `127.0.${number % 200}.2` });
  const chunks: Buffer[] = [];
  let answers: HttpAnswer[] = [];
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    answers = readAnswers(Buffer.concat(chunks), methods, false);
    if (answers.length >= methods.length) socket.destroy();
  });
  // The connection may be reset; the answers received before count.
  socket.on("error", () => socket.destroy());
  socket.write(bytes);
  await closeWithin(socket, timeoutMs);
  return answers.length >= methods.length ? answers : readAnswers(Buffer.concat(chunks), methods, true);
}

/** Unlike `once` of node:events, it does not reject when the connection breaks. */
export async function untilClosed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}

async function closeWithin(socket: Socket, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  await untilClosed(socket);
  clearTimeout(timer);
}
