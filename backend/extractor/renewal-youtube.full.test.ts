/** The renewal against a YouTube-shaped site, with the real yt-dlp under other versions. */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { expect, inject, it } from "vitest";
import { openYouTubeSite } from "../dev/testing/test-youtube.ts";
import { makeYtDlp, openTestRenewal } from "../dev/testing/test-renewal.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import { parseExit } from "../pipeline/exits/exit.ts";

const LINK = "https://www.youtube.com/watch?v=plain-video";

it("drops a version that cannot read YouTube, keeps the reason, and swaps in one that can", async () => {
  await using youtube = await openYouTubeSite();
  const { proxyUrl } = await youtube.site.openExit("one");
  const firstPath = inject("toolPaths").ytDlpPath;
  const python = path.join(path.dirname(await realpath(firstPath)), "python");
  const index = path.join(youtube.folder, "index");
  await mkdir(index);
  const outcomes: string[] = [];
  const counted: string[] = [];
  const opened = await openTestRenewal({
    dataDir: path.join(youtube.folder, "data"),
    firstPath,
    python,
    index,
    links: [LINK],
    compiles: false,
    caFile: youtube.caFile,
    youtube: {
      exits: new ExitPool({ exits: [parseExit(proxyUrl)], extractionsPerHour: Infinity }),
      clientOrder: ["visionos"],
      onLink: (_link, outcome) => outcomes.push(outcome),
    },
    count: (...result) => counted.push(result.join(" ")),
    countRenewal: (outcome) => counted.push(outcome),
  });
  try {
    await makeYtDlp(python, "repackage", index, "2099.1.1", "broken");
    expect(await opened.renewal.check()).toMatchObject({ kind: "dropped", reason: expect.stringContaining(LINK) });
    expect((await opened.folder.readKnowledge()).refused).toMatchObject([
      { version: "2099.1.1", reason: expect.stringContaining("unable to extract the player") },
    ]);
    // The version in use read it; what the new one could not read says nothing about the site.
    expect(outcomes).toEqual(["ok"]);

    await makeYtDlp(python, "repackage", index, "2099.1.2");
    expect(await opened.renewal.check()).toEqual({ kind: "swapped", version: "2099.1.2" });
    expect(await opened.canaries.tryCurrent(opened.dataDir, new AbortController().signal)).toEqual([]);
    expect(counted).toEqual([
      "new sample passed",
      "new link failed",
      "dropped",
      "new sample passed",
      "new link passed",
      "swapped",
      "present sample passed",
      "present link passed",
    ]);
  } finally {
    await opened.stop();
  }
});
