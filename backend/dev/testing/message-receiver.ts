/** A user's program that gets messages of webhooks, and answers as a test wants. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { SIGNATURE_HEADER } from "../../../common/webhook-calls.ts";

/** A status, an address to redirect to, no answer, or one that does not end. */
export type ReceiverAnswer = number | { readonly redirectTo: string } | "never" | "endless";

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly signature: string;
  /** Of the message. */
  readonly id: string;
  readonly type: string;
}

export interface MessageReceiver extends AsyncDisposable {
  /** For VIDEO_HOSTS: the guard reaches this host alone of this machine. */
  readonly host: string;
  readonly url: string;
  /** In the order of their arrival. */
  readonly messages: readonly ReceivedMessage[];
  /** The most messages that were on their way at the same time. */
  mostAtOnce(): number;
  /** The answers to the next messages; after them the last one again, and 204 at the beginning. */
  answerWith(...answers: ReceiverAnswer[]): void;
  /** Answers those messages by their text, whatever else was ordered. */
  answerIf(isMatch: (message: ReceivedMessage) => boolean, answer: ReceiverAnswer): void;
}

const Identified = z.object({ id: z.string(), type: z.string() });

/** @param port 0: a free one */
export async function startMessageReceiver(port = 0): Promise<MessageReceiver> {
  const messages: ReceivedMessage[] = [];
  let answers: readonly ReceiverAnswer[] = [204];
  const exceptions: { isMatch: (message: ReceivedMessage) => boolean; answer: ReceiverAnswer }[] = [];
  let [open, mostOpen] = [0, 0];
  const server = createServer((request, response) => {
    mostOpen = Math.max(mostOpen, (open += 1));
    let isOpen = true;
    const end = (): void => {
      if (isOpen) open -= 1;
      isOpen = false;
    };
    // "close" may come later than the sender's next message, which starts when it has read the answer.
    response.once("finish", end).once("close", end);
    void text(request).then(
      (body) => {
        const { headers, url: path = "" } = request;
        const signature = String(headers[SIGNATURE_HEADER.toLowerCase()]);
        const message = { path, headers, body, signature, ...Identified.parse(JSON.parse(body)) };
        messages.push(message);
        const exception = exceptions.find(({ isMatch }) => isMatch(message));
        const [answer = 204, ...later] = answers;
        if (!exception && later.length > 0) answers = later;
        send(response, exception?.answer ?? answer);
      },
      // The connection was closed before the message was complete.
      () => response.destroy(),
    );
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/ended`,
    messages,
    mostAtOnce: () => mostOpen,
    answerWith(...next) {
      answers = next;
    },
    answerIf(isMatch, answer) {
      exceptions.push({ isMatch, answer });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, answer: ReceiverAnswer): void {
  if (answer === "never") return;
  if (answer === "endless") {
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", pour);
    pour();
  } else if (typeof answer === "number") response.writeHead(answer).end();
  else response.writeHead(302, { location: answer.redirectTo }).end();
}
