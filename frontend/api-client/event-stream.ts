/** Reads server-sent events, as the HTML standard describes them, from the answer of `/api/events`. */

export interface ServerSentEvent {
  readonly name: string;
  /** For the header Last-Event-ID of the next stream; absent for events that cannot be sent again. */
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Between events. This server ends its lines with a line feed only. */
const SEPARATOR = "\n\n";

/**
 * @param onChunk called for all that arrives, also for the server's sign of life
 * @returns the events, until the stream ends
 * @throws TypeError when the connection breaks; the reason of the signal with which it was opened
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      const blocks = (text + decoder.decode(value, { stream: true })).split(SEPARATOR);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch((error: unknown) => {
      // The connection is broken already.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    });
  }
}

/** @returns null for a block without data, such as a comment */
function readEvent(block: string): ServerSentEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const [name = ""] = line.split(":", 1);
      return [name, line.slice(name.length + 1).replace(/^ /, "")] as const;
    }),
  );
  const data = fields.get("data");
  return data === undefined
    ? null
    : { name: fields.get("event") ?? "message", id: fields.get("id"), data: JSON.parse(data) };
}
