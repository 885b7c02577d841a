/**
 * A second entrance to a service of this machine, for tools whose network has no way out: a Unix socket, which is a file
 * and can be shown to a sandbox.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";

export interface SocketForward extends AsyncDisposable {
  readonly path: string;
}

/** Forwards connections to a service. The path is short, because a socket's may have 107 bytes. */
export async function openForward(host: string, port: number): Promise<SocketForward> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-way-"));
  const path = join(folder, "way");
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (visitor) => {
    const service = connect({ port, host, allowHalfOpen: true });
    for (const socket of [visitor, service]) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    }
    // Either side may break off; then the other one is closed.
    pipeline(visitor, service, visitor, () => undefined);
  });
  await new Promise<void>((listening, fail) => {
    server.once("error", fail);
    server.listen(path, listening);
  });
  await chmod(path, 0o600);
  return {
    path,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
