/** Lets the browser download a file under the name that the server gives it. */
import { parse as parseDisposition } from "content-disposition";
import type { browser } from "./browser.ts";

/**
 * Chrome reads the name from the download's own answer; Firefox would name the file after the end of its address.
 * @param headers of an earlier answer for the same file
 */
export async function saveFile(
  downloads: typeof browser.downloads,
  file: { readonly url: string; readonly token: string },
  headers: Headers,
): Promise<void> {
  const download = { url: file.url, headers: [{ name: "Authorization", value: `Bearer ${file.token}` }] };
  const filename = parseDisposition(headers.get("content-disposition") ?? "attachment").parameters["filename"];
  if (filename === undefined) return void (await downloads.download(download));
  try {
    await downloads.download({ ...download, filename });
  } catch {
    // Browsers refuse some characters in a name that the file system takes.
    await downloads.download(download);
  }
}
