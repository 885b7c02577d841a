/** A server whose package index offers a release of yt-dlp that was tampered with. */
import { mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, inject, it } from "vitest";
import { ownPort } from "./dev/own-port.ts";
import { repositoryDataDir } from "./dev/repository.ts";
import { serverArguments } from "./dev/settings-argument.ts";
import { startPackageIndex } from "./dev/testing/package-index.ts";
import { PATIENT_SETTINGS, PATIENT_STOP } from "./dev/testing/patient-settings.ts";
import { endProcesses, newDataDir, run, sampleUrl, untilReady } from "./dev/testing/test-process.ts";
import { makeYtDlp } from "./dev/testing/test-renewal.ts";
import { openDevice } from "./dev/testing/test-server.ts";
import { testFolder } from "./dev/testing/test-folder.ts";
import { ExtractorFolder } from "./extractor/extractor-folder.ts";

const SECRET = "5e".repeat(32);
const FALSE = "2099.1.1";

afterEach(endProcesses);

it.each([
  ["start", `yt-dlp ${FALSE} is dropped`, "looked around and found "],
  ["import", `yt-dlp ${FALSE} is dropped`, "looked around and found "],
  ["call", `yt-dlp ${FALSE} is dropped`, "looked around and found "],
  ["build", "satisfies the requirement yt-dlp", ""],
])("sees nothing of a running server at its %s, which goes on without it", async (moment, ...words) => {
  const packages = await testFolder();
  await using index = await startPackageIndex(packages);
  const dataDir = await newDataDir();
  await mkdir(join(dataDir, "tools"), { recursive: true });
  await symlink(join(repositoryDataDir(), "tools", "yt-dlp"), join(dataDir, "tools", "yt-dlp"));
  // Because another one was asked for, the start looks for a release however new the installed one is.
  await mkdir(join(dataDir, "extractor"));
  await new ExtractorFolder(join(dataDir, "extractor")).changeKnowledge({ checkedFor: "nightly" });
  const targets = {
    secret: SECRET,
    files: ["database-address", "database/java/*", "files", "scratch"].map((name) => join(dataDir, name)),
    writes: [join(dataDir, "written")],
    processes: [process.pid],
    port: Number(index.host.split(":")[1]),
  };
  const python = join(dirname(await realpath(inject("toolPaths").ytDlpPath)), "python");
  await makeYtDlp(python, "false", packages, FALSE, moment, JSON.stringify(targets));
  const server = run(["node", ...serverArguments({ ...PATIENT_SETTINGS, shutdown: PATIENT_STOP })], {
    PORT: String(await ownPort()),
    DATA_DIR: dataDir,
    SESSION_KEYS: SECRET,
    YTDLP_PATH: "",
    YOUTUBE_EXTRACTOR_RELEASE: "stable",
    YOUTUBE_EXTRACTOR_WAIT_DAYS: "0",
    PIP_INDEX_URL: `http://${index.host}/simple/`,
  });
  await untilReady(server);
  for (const said of words) await expect.poll(() => server.output.join("\n")).toContain(said);
  expect(server.output.join("\n").match(/looked around and found (?!nothing)/)).toBeNull();
  expect(index.visits).toEqual([]);
  expect(await readdir(dataDir)).not.toContain("written");

  const device = await openDevice(server.origin);
  const live = await device.live();
  const { id } = await device.convert(await sampleUrl(server.origin, "cello"));
  expect(await live.untilStatus(id, "completed", "failed")).toMatchObject({ status: "completed" });
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});
