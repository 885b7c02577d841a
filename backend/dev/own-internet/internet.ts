/**
 * An internet that is this machine: every address leads here, and every name that is not of `PUBLIC_NAMES` leads into a
 * private network. It is for a network namespace whose routes say so, and keeps which addresses were contacted.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Stands for the only machine of the internet that visitors may be led to. */
export const PUBLIC_ADDRESS = "93.184.215.14";

const PRIVATE_ADDRESSES = ["127.0.0.1", "10.0.0.1", "169.254.169.254"] as const;

/** Addresses of each name; one that has several lists is found at the next of them with each look-up, then at the last. */
const PUBLIC_NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "films.example": [[PUBLIC_ADDRESS]],
  "both.example": [["10.0.0.1", PUBLIC_ADDRESS]],
  "rebinding.example": [[PUBLIC_ADDRESS], ["127.0.0.1"]],
  "rebinding-to-metadata.example": [[PUBLIC_ADDRESS], ["169.254.169.254"]],
};

/** Ports that hostile links name, beside those of the web. */
const PORTS = [22, 25, 80, 443, 8080, 8090, 8091, 8443, 9001, 9002];

export interface OwnInternet extends AsyncDisposable {
  /** `address:port` of every connection to a port of the web or of a hostile link. */
  readonly contacts: Set<string>;
  /** Names by which machines were asked. */
  readonly hosts: Set<string>;
}

/** @param answer serves each machine of the internet */
export async function startOwnInternet(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<OwnInternet> {
  await using opened = new AsyncDisposableStack();
  opened.use(await startNameServer());
  const contacts = new Set<string>();
  const hosts = new Set<string>();
  for (const port of PORTS) {
    const server = createServer((request, response) => {
      // Over an open connection, no name would be looked up again.
      response.setHeader("connection", "close");
      hosts.add(request.headers.host ?? "");
      answer(request, response);
    });
    server.on("connection", ({ localAddress = "" }) => contacts.add(`${localAddress.replace(/^::ffff:/, "")}:${port}`));
    await once(server.listen(port, "::"), "listening");
    opened.defer(() => {
      server.close();
      server.closeAllConnections();
    });
  }
  const rest = opened.move();
  return { contacts, hosts, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

const TYPE_A = 1;

/** Answers at the address that `/etc/resolv.conf` names in the namespace. */
async function startNameServer(): Promise<Disposable> {
  const socket = createSocket("udp4");
  const lookups = new Map<string, number>();
  const addressesOf = (name: string): readonly string[] => {
    const count = lookups.get(name) ?? 0;
    lookups.set(name, count + 1);
    const lists = PUBLIC_NAMES[name] ?? [PRIVATE_ADDRESSES];
    return lists[Math.min(count, lists.length - 1)] ?? [];
  };
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const found = type === TYPE_A ? addressesOf(name) : [];
    const header = Buffer.from(query.subarray(0, 12));
    // An answer without errors to one question, and nothing beside its answers.
    [0x81_80, 1, found.length, 0, 0].forEach((field, index) => header.writeUInt16BE(field, 2 + 2 * index));
    const records = found.map((to) =>
      // The name of the question, type A, class IN, kept for no time, four bytes.
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...to.split(".").map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(53, "127.0.0.1");
  await once(socket, "listening");
  return { [Symbol.dispose]: () => socket.close() };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
