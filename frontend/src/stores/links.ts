/** The list that a link names beside its video. */
import { OPEN_LIST } from "../../../common/links/open-list.ts";
import { readNow } from "./text-reader.ts";

/** Whether a link names a list that its video is in. Whether it names a video, its preview knows. */
export function namesList(link: string): boolean {
  const found = readNow(link, []);
  if (found) return found.namesList;
  return OPEN_LIST.test(/[?&]list=([\w-]+)/.exec(link)?.[1] ?? "");
}
