/**
 * A site that is only an extractor of yt-dlp: what it says of a page stands in the address of the page. So a test can have
 * any shape that an extractor gives, and no server is asked.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The host is in no list of names. */
const EXTRACTOR = `
import base64
import json

from yt_dlp.extractor.common import InfoExtractor


class ShapeSiteIE(InfoExtractor):
    _VALID_URL = r"https://shapes\\.example/(?P<id>[\\w-]+)"

    def _real_extract(self, url):
        shape = self._match_id(url)
        return json.loads(base64.urlsafe_b64decode(shape + "=" * (-len(shape) % 4)))
`;

/** @returns the link of a page */
export const linkOfShape = (shape: object): string =>
  `https://shapes.example/${Buffer.from(JSON.stringify(shape)).toString("base64url")}`;

/** @param extractors Python of extractors @returns the folder of the plugin, for the paths of tools */
export async function writePlugin(folder: string, extractors: string = EXTRACTOR): Promise<string> {
  const plugins = join(folder, "plugins");
  const inside = join(plugins, "sites", "yt_dlp_plugins", "extractor");
  await mkdir(inside, { recursive: true });
  await writeFile(join(inside, "sites_of_tests.py"), extractors);
  return plugins;
}
