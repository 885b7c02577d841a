/** What sites refuse in their own words, by extractors of our own in the real yt-dlp. */
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { writePlugin } from "../../dev/testing/shape-site.ts";
import { startTestExtractor } from "../../dev/testing/test-extractor.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import type { Pipeline } from "../pipeline.ts";
import { extract } from "./extraction.ts";
import { SiteCookies } from "./site-cookies.ts";

/** The host is in no list of names, and nothing asks it. */
const PLUGIN = `
from yt_dlp.extractor.common import InfoExtractor
from yt_dlp.utils import ExtractorError, UserNotLive


class RefusingSiteIE(InfoExtractor):
    _VALID_URL = r"https://refusing\\.example/(?P<id>\\w+)"

    def _real_extract(self, url):
        refusal = self._match_id(url)
        if refusal == "deleted":
            raise ExtractorError("Dieser Beitrag wurde entfernt", expected=True)
        if refusal == "country":
            self.raise_geo_restricted("Kun for Norge", countries=["NO"])
        if refusal == "offline":
            raise UserNotLive(video_id=refusal)
        if refusal == "account" or (refusal == "members" and "session" not in self._get_cookies(url)):
            self.raise_login_required()
        if refusal == "protected":
            self.report_drm(refusal)
        if refusal == "empty":
            self.raise_no_formats("Ingenting her", expected=True)
        if refusal == "changed":
            self._search_regex("nowhere", "a page", "the player")
        if refusal == "crash":
            return {}["player"]
        if refusal == "upcoming":
            return {"id": refusal, "title": "A", "formats": [], "live_status": "is_upcoming", "release_timestamp": 99999999999}
        form = {"url": "rtmp://refusing.example/a", "protocol": "rtmp"}
        if refusal == "members":
            form = {"url": "https://refusing.example/a.mp4"}
        if refusal == "pictures":
            form = {"url": "https://refusing.example/a.jpg", "vcodec": "none", "acodec": "none"}
        if refusal == "encrypted":
            form = {"url": "https://refusing.example/a.mp4", "has_drm": True}
        return {"id": refusal, "title": "A", "formats": [{"format_id": "1", "ext": "mp4", **form}]}
`;

const opened = await ofFile(openTestPipeline());
const { folder } = opened;
const extractorHost = await ofFile(startTestExtractor(folder));
let pipeline: Pipeline;
beforeAll(async () => {
  const tools = { ...opened.pipeline.tools, pluginFolders: [await writePlugin(folder, PLUGIN)] };
  pipeline = { ...opened.pipeline, extractorHost, tools };
});

it.each([
  ["deleted", "unavailable", "refused_by_site", false],
  ["country", "geo_blocked", undefined, false],
  ["offline", "live", "not_live_now", false],
  ["account", "login_required", undefined, false],
  ["protected", "unavailable", "copy_protected", false],
  ["encrypted", "unavailable", "copy_protected", false],
  ["empty", "unavailable", "refused_by_site", false],
  ["rtmp", "unavailable", "form_not_fetched", false],
  ["pictures", "unavailable", "picture_only", false],
  ["upcoming", "live", "starts_later", false],
  ["changed", "site_changed", undefined, true],
  ["crash", "site_changed", undefined, true],
])("ends a link that is refused as %s with %s", async (refusal, code, name, isTransient) => {
  const job = await mkdtemp(path.join(folder, "job-"));
  const reading = extract(
    { pipeline, signal: new AbortController().signal },
    `https://refusing.example/${refusal}`,
    job,
  );
  await expect(reading).rejects.toMatchObject({ code, isTransient, reason: name && { name } });
});

it("signs in with the operator's cookies of the site where a guest is refused", async () => {
  const accounts = await mkdtemp(path.join(folder, "accounts-"));
  const cookie = `.refusing.example\tTRUE\t/\tTRUE\t0\tsession\tsecret-of-the-operator\n`;
  await writeFile(path.join(accounts, "refusing.example.txt"), `# Netscape HTTP Cookie File\n${cookie}`);
  const read = async (cookies?: SiteCookies) => {
    const job = await mkdtemp(path.join(folder, "job-"));
    const withCookies = { ...pipeline, siteCookies: cookies };
    return extract(
      { pipeline: withCookies, signal: new AbortController().signal },
      "https://refusing.example/members",
      job,
    );
  };
  await expect(read()).rejects.toMatchObject({ code: "login_required" });
  const info = await read(new SiteCookies(accounts));
  expect(info.renditions).toHaveLength(1);
  expect(new TextDecoder().decode(info.renditions[0]?.rawJson)).not.toContain("secret-of-the-operator");
});
