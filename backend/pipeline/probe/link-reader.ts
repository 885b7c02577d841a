/** Reads a link as its site wants it: YouTube by several clients and exits, other sites once. */
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import { isYouTubeHost } from "../../../common/hosts.ts";
import { SiteRefusal } from "../errors/site-refusal.ts";
import type { Exit } from "../exits/exit.ts";
import type { Pipeline } from "../pipeline.ts";
import { type CookieCopy, CookiesFileError } from "./account-cookies.ts";
import { withPresentExtractor } from "./extractor-source.ts";
import { readPage, type PageFile, type PageRequest } from "./page-reader.ts";
import { ACCOUNT, clientArgs, extractFromYouTube, type YouTubeAccess } from "./youtube.ts";

export interface LinkRequest<T> extends Pick<PageRequest, "link" | "folder" | "listArgs"> {
  /** Parses what yt-dlp printed. What it throws is the link's error, after which another exit may be tried. */
  readonly parse: (file: PageFile) => Promise<T>;
  /** False: how it ends says nothing about whether videos of the site can be read. */
  readonly countsForHealth: boolean;
  /** Never ask with the operator's account. */
  readonly isGuest?: boolean;
}

/** @param client as in the client order, or ACCOUNT */
async function readAsClient(
  pipeline: Pipeline,
  { account, accountClient = "default", pluginArgs = [], onNotice }: YouTubeAccess,
  page: PageRequest & { readonly client: string },
  signal: AbortSignal,
): Promise<PageFile> {
  const { client } = page;
  if (client !== ACCOUNT || !account)
    return readPage(pipeline, { ...page, args: [...clientArgs(client), ...pluginArgs] }, signal);
  let copy: CookieCopy;
  try {
    copy = await account.copyInto(page.folder);
  } catch (error) {
    if (!(error instanceof CookiesFileError)) throw error;
    onNotice?.("cookies");
    throw new SiteRefusal("login_required", "client", { detail: error.message, cause: error });
  }
  await using cookies = copy;
  return await readPage(pipeline, { ...page, cookies, args: [...clientArgs(accountClient), ...pluginArgs] }, signal);
}

/**
 * Reads a link.
 * @returns what was parsed, and the exit that read it, if the link's site is asked through one
 * @throws ConversionError of errors/classify.ts, what `parse` throws; `signal.reason` when aborted
 */
export function readLink<T>(
  pipeline: Pipeline,
  { parse, countsForHealth, isGuest = false, ...page }: LinkRequest<T>,
  signal: AbortSignal,
): Promise<{ readonly result: T; readonly exit?: Exit }> {
  return withPresentExtractor(pipeline, page.link, signal, async (present) => {
    const { youtube } = present;
    if (!youtube || !isYouTubeHost(new URL(page.link).hostname))
      return { result: await parse(await readPage(present, page, signal)) };
    const reading = extractFromYouTube(
      isGuest ? { ...youtube, account: undefined } : youtube,
      async (client, exit) => ({
        result: await parse(await readAsClient(present, youtube, { ...page, exit, client }, signal)),
        exit,
      }),
      signal,
    );
    return countsForHealth ? reportOutcome(reading, (outcome) => youtube.onLink?.(page.link, outcome)) : reading;
  });
}

/** Reports what came of an extraction. @throws what the extraction throws */
async function reportOutcome<T>(
  extraction: Promise<T>,
  report: (outcome: ConversionErrorCode | "ok") => void,
): Promise<T> {
  try {
    const result = await extraction;
    report("ok");
    return result;
  } catch (error) {
    if (error instanceof ConversionError) report(error.code);
    throw error;
  }
}
