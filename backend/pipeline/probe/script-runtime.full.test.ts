import { once } from "node:events";
import { mkdtemp, readdir } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { makePlayer } from "../../dev/stand-ins/youtube-site/player-script.ts";
import { openTestYouTube } from "../../dev/testing/test-youtube.ts";
import type { YouTubeNotice } from "../errors/failure-rules.ts";
import { ExitPool } from "../exits/exit-pool.ts";
import { parseExit } from "../exits/exit.ts";
import type { PipelineLimits } from "../limits.ts";
import type { Pipeline } from "../pipeline.ts";
import { extract } from "./extraction.ts";
import type { VideoInfo } from "./info.ts";

const youtube = await ofFile(openTestYouTube());
const { proxyUrl } = await youtube.site.openExit("one");
let release = 1;
let notices: YouTubeNotice[] = [];

/** Reads a video whose every format needs the site's script, which runs the given statements. */
function readWithScript(hostileCode: string, limits: Partial<PipelineLimits> = {}): Promise<VideoInfo> {
  const { site, folder, pipeline } = youtube;
  release += 1;
  notices = [];
  site.player = makePlayer(release, { hostileCode });
  const exits = new ExitPool({ exits: [parseExit(proxyUrl)], extractionsPerHour: 1_000 });
  const own: Pipeline = {
    ...pipeline,
    limits: { ...pipeline.limits, ...limits },
    youtube: { exits, clientOrder: ["web_embedded"], onNotice: (notice) => notices.push(notice) },
  };
  const link = "https://www.youtube.com/watch?v=age-embedde";
  return extract({ pipeline: own, signal: new AbortController().signal }, link, folder);
}

/** Statements that go on when one of them is refused. */
function attempt(...statements: string[]): string {
  return statements.map((statement) => `try{${statement}}catch(e){}`).join(";");
}

describe("a script of the site", () => {
  it("reaches no network", async () => {
    let connections = 0;
    await using server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const info = await readWithScript(
      attempt(
        `fetch("http://127.0.0.1:${port}").catch(function(){})`,
        `process.getBuiltinModule("net").connect(${port},"127.0.0.1").on("error",function(){})`,
        `process.getBuiltinModule("http").get("http://127.0.0.1:${port}").on("error",function(){})`,
        `Deno.connect({hostname:"127.0.0.1",port:${port}}).catch(function(){})`,
        `new WebSocket("ws://127.0.0.1:${port}").onerror=function(){}`,
        `import("http://127.0.0.1:${port}/module.js").catch(function(){})`,
      ),
    );
    expect(info.renditions.map(({ id }) => id)).toContain("140");
    expect(connections).toBe(0);
  });

  it("reads and writes no file, no environment and no process, and starts no program", async () => {
    const folder = await mkdtemp(path.join(youtube.folder, "hostile-"));
    const file = (name: string): string => JSON.stringify(path.join(folder, name));
    const info = await readWithScript(
      attempt(
        `process.getBuiltinModule("fs").writeFileSync(${file("written")},"x")`,
        `Deno.writeTextFileSync(${file("written by Deno")},"x")`,
        `process.getBuiltinModule("child_process").execSync("touch "+${file("by-program")})`,
        `new Deno.Command("touch",{args:[${file("by-command")}]}).outputSync()`,
        // Where one of these succeeds, the script solves the challenge wrongly.
        `process.getBuiltinModule("fs").readFileSync("/etc/passwd");a="read"+a`,
        `Deno.readTextFileSync("/etc/passwd");a="read"+a`,
        `process.kill(process.ppid,0);a="signal"+a`,
        `Deno.env.get("HOME");a="environment"+a`,
      ),
    );
    expect(await readdir(folder)).toEqual([]);
    const address = info.renditions.find(({ id }) => id === "140")?.url ?? "";
    expect(youtube.site.refusalOf(address, "one")).toBeUndefined();
  });

  it("that never ends is stopped, and the fault is ours", async () => {
    const reading = readWithScript("for(;;);", { maxExtractorCpuSeconds: 3 });
    await expect(reading).rejects.toMatchObject({ code: "site_changed", reason: { name: "script_not_run" } });
    expect(notices).toContain("scripts");
  });

  it("that takes all memory is stopped, and the fault is ours", async () => {
    const reading = readWithScript("for(var list=[];;)list.push(new Array(1000000).fill(1.5))");
    await expect(reading).rejects.toMatchObject({ code: "site_changed", reason: { name: "script_not_run" } });
    expect(notices).toContain("scripts");
  });
});
