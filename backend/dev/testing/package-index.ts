/** An index of Python packages on loopback, which is also a page with a video. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

const PAGE = "<html><head><title>A</title></head><body><video src='/clip.mp4'></video></body></html>";

export interface PackageIndex extends AsyncDisposable {
  /** Host and port. The index is at `/simple/`, every other page has the video. */
  readonly host: string;
  /** One entry for each connection that says no request, as a false release does that reaches the port. */
  readonly visits: readonly string[];
}

/** Serves the packages of a folder as an index does (PEP 503). */
export async function startPackageIndex(packages: string): Promise<PackageIndex> {
  const visits: string[] = [];
  const answer = async (url: string, response: ServerResponse) => {
    if (url.startsWith("/files/")) return response.end(await readFile(path.join(packages, path.basename(url))));
    response.setHeader("content-type", "text/html");
    if (url !== "/simple/yt-dlp/") return response.end(PAGE);
    const links = (await readdir(packages)).map(async (name) => {
      const sha256 = createHash("sha256").update(await readFile(path.join(packages, name)));
      return `<a href="/files/${name}#sha256=${sha256.digest("hex")}">${name}</a>`;
    });
    return response.end((await Promise.all(links)).join("\n"));
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "", response).catch(() => response.destroy());
  });
  server.on("clientError", (_error, socket) => {
    visits.push("a connection without a request");
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
