import { chmod, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, inject, it } from "vitest";
import { ownPort } from "./dev/own-port.ts";
import { serverArguments } from "./dev/settings-argument.ts";
import { PATIENT_SETTINGS, PATIENT_STOP } from "./dev/testing/patient-settings.ts";
import { endProcesses, newDataDir, run, sampleUrl, untilReady } from "./dev/testing/test-process.ts";
import { openDevice } from "./dev/testing/test-server.ts";
import { testFolder } from "./dev/testing/test-folder.ts";

afterEach(endProcesses);

it("answers, fails the job and stops in order when ffmpeg leaves pipes in place of pictures", async () => {
  const { ffmpegPath } = inject("toolPaths");
  const tools = await testFolder();
  // Only where it has made pictures: other runs have the folder of the server as theirs.
  const script = `#!/bin/sh\n"${ffmpegPath}" "$@"\ncode=$?\nfor name in thumbnail.jpg cover.jpg; do if [ -f $name ]; then rm $name; mkfifo $name; fi; done\nexit $code\n`;
  await writeFile(join(tools, "ffmpeg"), script);
  await chmod(join(tools, "ffmpeg"), 0o755);
  await symlink(join(dirname(ffmpegPath), "ffprobe"), join(tools, "ffprobe"));
  const env = { PORT: String(await ownPort()), DATA_DIR: await newDataDir(), FFMPEG_PATH: join(tools, "ffmpeg") };
  const server = run(["node", ...serverArguments({ ...PATIENT_SETTINGS, shutdown: PATIENT_STOP })], env);
  await untilReady(server);
  const device = await openDevice(server.origin);
  const live = await device.live();
  const pages = ["cello", "rain", "lanterns", "tide", "snow", "observatory"] as const;
  const links = await Promise.all(pages.map((page) => sampleUrl(server.origin, page)));
  const answers = await Promise.all(links.map((youtubeUrl) => device.call("POST", "/api/preview", { youtubeUrl })));
  for (const answer of answers) {
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: "internal" });
  }
  const { id } = await device.convert(links[0] ?? "");
  expect(await live.until(id, ({ status }) => status === "failed")).toMatchObject({ error: { code: "internal" } });
  expect(server.output.join("\n")).toContain("thumbnail.jpg");
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});
