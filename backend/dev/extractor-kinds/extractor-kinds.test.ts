import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, inject, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { countKinds, kindTable, type ExtractorKinds } from "./extractor-kinds.ts";

const EXTRACTORS = `
class InfoExtractor:
    _NETRC_MACHINE = "of all"

    def common(self):
        self.raise_geo_restricted()


class TinyBaseIE(InfoExtractor):
    _NETRC_MACHINE = "tiny"

    def _call(self, url):
        return self._download_json(url, headers={"cookies": None}, impersonate=True)


class TinyIE(TinyBaseIE):
    _TESTS = [{
        "url": "https://tiny.example/1",
        "info_dict": {"id": "1", "ext": "mp4", "age_limit": 18, "protocol": "rtmp"},
    }, {
        "url": "https://tiny.example/2",
        "only_matching": True,
    }]

    def _real_extract(self, url):
        formats, subtitles = self._extract_m3u8_formats_and_subtitles(url, "1")
        formats.append({"url": url, "protocol": "http_dash_segments", "has_drm": True, "http_headers": {}})
        return {"id": "1", "formats": formats, "is_live": True}


class TinySetIE(InfoExtractor):
    _WORKING = False
    _NETRC_MACHINE = None
    _TEST = {"url": "https://tiny.example/set", "info_dict": {"id": "s", "age_limit": 0}, "playlist_mincount": 2}

    def _real_extract(self, url):
        return self.url_result(url, url_transparent=True)


class TinyPartsIE(InfoExtractor):
    def _real_extract(self, url):
        return self.playlist_result([self.url_result(url)], multi_video=True)


class UnlistedIE(InfoExtractor):
    _WORKING = False
`;

/** @returns a folder with a yt-dlp of which there is no more than what is read */
async function tinyYtDlp(): Promise<string> {
  const folder = await testFolder();
  const extractor = path.join(folder, "yt_dlp", "extractor");
  await mkdir(extractor, { recursive: true });
  await writeFile(path.join(folder, "yt_dlp", "version.py"), `__version__ = "2001.02.03"\n`);
  await writeFile(path.join(extractor, "tiny.py"), EXTRACTORS);
  await writeFile(path.join(extractor, "lazy_extractors.py"), "class TinyIE:\n    pass\n");
  await writeFile(path.join(extractor, "_extractors.py"), "from .tiny import TinyIE, TinyPartsIE, TinySetIE\n");
  return folder;
}

it("counts what the extractors in the list give and need, by tests, attributes and code, with that of their bases", async () => {
  const { kinds, ...others } = await countKinds(inject("toolPaths").ytDlpPath, await tinyYtDlp());
  expect(others).toEqual({ version: "2001.02.03", extractors: 3 });
  expect(Object.fromEntries(kinds.map(([group, kind, count]) => [`${group}: ${kind}`, count]))).toEqual({
    "needs: a cookie": 1,
    "needs: a header of media": 1,
    "needs: an account, at times": 1,
    "needs: the handshake of a browser": 1,
    "protocol: dash": 1,
    "protocol: m3u8": 1,
    "result: multi_video": 1,
    "result: playlist": 2,
    "result: url": 1,
    "result: url_transparent": 1,
    "result: video": 1,
    "state: DRM, at times": 1,
    "state: an age limit, at times": 1,
    "state: broken, says yt-dlp": 1,
    "state: live, at times": 1,
  });
});

it("writes a line for each kind, with its share", () => {
  const counted: ExtractorKinds = { version: "1", extractors: 8, kinds: [["result", "video", 5]] };
  expect(kindTable(counted).split("\n")).toEqual([
    "yt-dlp 1: 8 extractors",
    "result    video                           5   62.5 %",
    "",
  ]);
});
