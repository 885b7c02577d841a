import { describe, expect, it, vi } from "vitest";
import { classifyFetchFailure, classifyMediaFailure, unknownReason, withholdsSubtitles } from "./classify.ts";
import { SiteRefusal } from "./site-refusal.ts";

const WARNING = "WARNING: [generic] Falling back on generic information extractor\n";

describe("classifyFetchFailure", () => {
  it.each([
    // yt-dlp, for pages and files that respond with an error status.
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 403: Forbidden (caused by <HTTPError " +
        "403: Forbidden>)",
      "site_blocked",
      false,
    ],
    ["ERROR: unable to download video data: HTTP Error 403: Forbidden", "site_blocked", false],
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 429: Too Many Requests (caused by " +
        "<HTTPError 429: Too Many Requests>)",
      "site_blocked",
      true,
    ],
    ["ERROR: unable to download video data: HTTP Error 503: Service Unavailable", "site_blocked", true],
    ["ERROR: unable to download video data: HTTP Error 500: Internal Server Error", "site_blocked", true],
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError " +
        "404: Not Found>)",
      "unavailable",
      false,
    ],
    ["ERROR: unable to download video data: HTTP Error 410: Gone", "unavailable", false],
    ["ERROR: [generic] x: Unable to download webpage: HTTP Error 401: Unauthorized", "login_required", false],
    // Statuses of the egress guard: the name does not resolve, or the host refuses connections.
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 599: Upstream Error (caused by " +
        "<HTTPError 599: Upstream Error>)",
      "network",
      true,
    ],
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 594: Connection Refused (caused by " +
        "<HTTPError 594: Connection Refused>)",
      "network",
      true,
    ],
    // yt-dlp and our own client, for redirect loops.
    [
      "ERROR: [generic] x: Unable to download webpage: HTTP Error 302: Found (redirect loop detected) " +
        "(caused by <HTTPError 302: Found (redirect loop detected)>)",
      "unavailable",
      false,
    ],
    ["InvalidArgumentError: Redirect loop detected. Cannot redirect to http://cdn.example.", "unavailable", false],
    ["fetch failed: redirect count exceeded", "unavailable", false],
    ["HTTP Error 408: Request Timeout", "timeout", true],
    ["HTTP Error 416: Range Not Satisfiable", "unavailable", false],
    ["HTTP Error 999: ", "site_blocked", false],
    // Connections that break.
    [
      "ERROR: [download] Got error: 434640 bytes read, 2530766 more expected. Giving up after 1 retries",
      "network",
      true,
    ],
    ["ERROR: content too short (expected 30 bytes and served 20)", "network", true],
    [
      "ERROR: [youtube] x: Unable to download API page: HTTPSConnection(host='www.youtube.com', port=443): " +
        "Failed to resolve 'www.youtube.com' ([Errno -2] Name or service not known)",
      "network",
      true,
    ],
    [
      "ERROR: [generic] x: Unable to download webpage: ('Connection aborted.', RemoteDisconnected('Remote " +
        "end closed connection without response'))",
      "network",
      true,
    ],
    ["ERROR: ('Unable to connect to proxy', OSError('Tunnel connection failed: 599'))", "network", true],
    [
      "ERROR: [download] Got error: HTTPConnectionPool(host='127.0.0.1', port=46329): Read timed out.. " +
        "Giving up after 1 retries",
      "timeout",
      true,
    ],
    ["ERROR: Did not get any data blocks", "unavailable", false],
    ["ERROR: The downloaded file is empty", "unavailable", false],
    // Properties of the video.
    ["ERROR: Unsupported URL: http://localhost:8090/watch/no-video", "unavailable", false],
    ["ERROR: No suitable extractor found for URL https://www.youtube.com/about", "unavailable", false],
    [
      "ERROR: [youtube] dQw4w9WgXcQ: Video unavailable. This video has been removed by the uploader",
      "unavailable",
      false,
    ],
    [
      "ERROR: [youtube] x: Video unavailable. This video is no longer available because the YouTube " +
        "account associated with this video has been terminated.",
      "unavailable",
      false,
    ],
    ["ERROR: [youtube] x: This video is DRM protected", "unavailable", false],
    ["ERROR: [youtube] x: Private video. Sign in if you've been granted access to this video", "private", false],
    [
      "ERROR: [youtube] x: Join this channel to get access to members-only content like this video, and " +
        "other exclusive perks.",
      "members_only",
      false,
    ],
    [
      "ERROR: [youtube] x: Sign in to confirm your age. This video may be inappropriate for some users. " +
        "Use --cookies-from-browser or --cookies for the authentication.",
      "login_required",
      false,
    ],
    [
      "ERROR: [vimeo] x: The web client only works when logged-in. Use --cookies, --cookies-from-browser, " +
        "--username and --password",
      "login_required",
      false,
    ],
    [
      "ERROR: [youtube] x: Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies " +
        "for the authentication.",
      "site_blocked",
      false,
    ],
    ["ERROR: [youtube] x: The uploader has not made this video available in your country", "geo_blocked", false],
    ["ERROR: [zdf] x: This video is not available from your location due to geo restriction", "geo_blocked", false],
    ["ERROR: [youtube] x: This live event will begin in 3 hours.", "live", false],
    ["ERROR: [youtube] x: Premieres in 5 days", "live", false],
    [
      "ERROR: [youtube] x: This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
      "site_blocked",
      true,
    ],
    ["ERROR: [youtube] x: The page needs to be reloaded.", "site_blocked", true],
    ["ERROR: [youtube] x: Playback unavailable. YouTube is requiring a captcha challenge", "site_blocked", false],
    ["ERROR: [yandexmusic] x: YandexMusic asks you to solve a CAPTCHA. You can either wait", "site_blocked", false],
    ["ERROR: [youtube] x: This video is only available to Music Premium members", "members_only", false],
    [
      "ERROR: [youtube] x: Video unavailable. This video is no longer available due to a copyright claim by A",
      "unavailable",
      false,
    ],
    [
      "ERROR: [youtube] x: Video unavailable. This video contains content from A, who has blocked it in your country on copyright grounds",
      "geo_blocked",
      false,
    ],
    ["ERROR: [youtube] x: No video formats found!; please report this issue on  https://x", "site_changed", true],
    ["ERROR: [youtube] x: Requested format is not available. Use --list-formats", "site_changed", true],
    ["ERROR: [generic] x: Requested format is not available. Use --list-formats", "unavailable", false],
    [
      "ERROR: x: An extractor error has occurred. (caused by KeyError('INNERTUBE_CONTEXT')); please report this issue on  https://x",
      "site_changed",
      true,
    ],
    ["ERROR: [youtube] x: Failed to extract any player response", "site_changed", true],
    [
      "WARNING: [youtube] x: Unable to download API page: HTTP Error 429: Too Many Requests\nERROR: [youtube] x: Failed to extract any player response; please report this issue on  https://x",
      "site_blocked",
      true,
    ],
    // One client is refused by its call, or by what it gets.
    [
      "WARNING: [youtube] x: YouTube said: ERROR - Precondition check failed.\nWARNING: [youtube] x: Unable to download API page: HTTP Error 400: Bad Request (caused by <HTTPError 400: Bad Request>)\nERROR: [youtube] x: Failed to extract any player response; please report this issue on  https://x",
      "site_changed",
      true,
    ],
    [
      "WARNING: [youtube] x: Some tv client https formats have been skipped as they are DRM protected. \nERROR: [youtube] x: Requested format is not available. Use --list-formats",
      "site_changed",
      true,
    ],
    // A reason that no rule knows is YouTube's, and is tried once: only a newer yt-dlp or rule helps.
    ["ERROR: [youtube] x: This video is on the moon", "site_changed", false],
    ["ERROR: [youtube:tab] x: YouTube said: This list is on the moon", "site_changed", false],
    [
      "WARNING: [youtube] x: Unable to download API page: HTTP Error 429: Too Many Requests\nERROR: [youtube] x: This video is on the moon",
      "site_blocked",
      true,
    ],
    ["ERROR: [vimeo] x: This video is on the moon", "internal", false],
    // Local files.
    ["ERROR: No connection adapters were found for 'file:///etc/passwd'", "unsupported_host", false],
    [
      "yt_dlp.networking.exceptions.RequestError: file:// URLs are disabled by default in yt-dlp for security reasons.",
      "unsupported_host",
      false,
    ],
    ["ERROR: unable to write data: [Errno 28] No space left on device", "storage", false],
    ["Traceback (most recent call last):\nKeyError: 'x'", "internal", false],
  ])("reads %j as %s", (stderrTail, code, isTransient) => {
    expect(classifyFetchFailure({ stderrTail: WARNING + stderrTail })).toMatchObject({ code, isTransient });
  });

  it.each([
    ["ERROR: [youtube] x: Sign in to confirm you’re not a bot.", "either"],
    ["ERROR: [youtube] x: Unable to download webpage: HTTP Error 429: Too Many Requests", "exit"],
    ["ERROR: [youtube] x: The page needs to be reloaded.", "client"],
    ["ERROR: [youtube] x: No video formats found!", "client"],
    ["ERROR: [youtube] x: This video is unavailable", "client"],
    ["ERROR: [youtube] x: This video is on the moon", "client"],
  ])("says for %j whom the site refuses: %s", (stderrTail, refuses) => {
    expect(classifyFetchFailure({ stderrTail })).toMatchObject({ refuses });
  });

  it.each([
    ["ERROR: [youtube] captcha-abc: Video unavailable. This video is unavailable", "unavailable"],
    ["ERROR: [youtube:tab] captchaXYZ: YouTube said: The playlist does not exist.", "unavailable"],
    ["ERROR: [youtube:tab] @captcha: This channel is not available", "unavailable"],
    ["ERROR: [youtube:tab] @x: This channel does not have a captcha-livestream tab", "playlist"],
    ["ERROR: [youtube:tab] ENOSPC page 2: Unable to download API page: HTTP Error 404: Not Found", "unavailable"],
    ["ERROR: captcha-abc: An extractor error has occurred. (caused by KeyError('x'))", "site_changed"],
    ["Traceback (most recent call last):\nKeyError: 'captcha-ENOSPC'", "internal"],
    // yt-dlp decodes the words of a search, and parameters of an address.
    [
      'ERROR: [youtube:search_url] query "Too Many Requests": \u2028" page 1: Unable to download API page: HTTP Error 400: Bad',
      "unavailable",
    ],
    [
      "ERROR: No suitable extractor (Youtube) found for URL https://www.youtube.com/watch?v=HTTP Error 429",
      "unavailable",
    ],
    ["ERROR: No suitable extractor found for URL https://x/\nERROR: [youtube] x: Too Many Requests", "unavailable"],
    ["ERROR: Unsupported URL: https://video.example/No space left on device", "unavailable"],
    // Names that channels and holders of rights have chosen.
    [
      "ERROR: [youtube] x: This video is available to this channel's members on level: Captcha and unusual traffic (or any higher level).",
      "members_only",
    ],
    [
      "ERROR: [youtube] x: Video unavailable. This video is no longer available due to a copyright claim by Unusual Traffic",
      "unavailable",
    ],
    [
      "ERROR: [youtube] x: Video unavailable. This video contains content from Unusual Traffic, who has blocked it in your country",
      "geo_blocked",
    ],
    [
      "ERROR: [youtube] x: Video unavailable. This video contains content from Unusual Traffic, who has blocked it",
      "unavailable",
    ],
  ])("reads the message and not what others have chosen in %j: %s", (stderrTail, code) => {
    const error = classifyFetchFailure({ stderrTail });
    expect(error).toMatchObject({ code });
    expect(error instanceof SiteRefusal && error.refuses !== "client").toBe(false);
  });

  it.each([
    ["Premieres in 2 hours", "2026-11-24T12:16:00.000Z", "hour", "2026-11-24 12:16 UTC"],
    ["This live event will begin in 1 minute.", "2026-11-24T10:17:00.000Z", "minute", "2026-11-24 10:17 UTC"],
    ["This live event will begin in 3 days.", "2026-11-27T10:16:00.000Z", "day", "2026-11-27"],
    ["Premieres in a few moments", "2026-11-24T10:17:00.000Z", "minute", "2026-11-24 10:17 UTC"],
  ])("keeps at what time a video starts: %j", (words, startsAt, precision, when) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 24, 10, 15, 30) });
    try {
      expect(classifyFetchFailure({ stderrTail: `ERROR: [youtube] x: ${words}` })).toMatchObject({
        code: "live",
        message: `This video starts around ${when}. Come back when it has ended.`,
        reason: { name: "starts_later", startsAt, precision },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("returns unsupported_host when the guard refused an address, also when the tool printed another error", () => {
    const error = classifyFetchFailure({
      stderrTail: "ERROR: unable to download video data: HTTP Error 403: Forbidden",
      refusals: ["127.0.0.1:22"],
    });
    expect(error).toMatchObject({ code: "unsupported_host", isTransient: false });
    expect(error.detail).toContain("127.0.0.1:22");
  });

  it("ignores warnings when there is an error line", () => {
    const stderrTail =
      "WARNING: HTTP Error 404: Not Found\nERROR: unable to download video data: HTTP Error 429: Too Many Requests";
    expect(classifyFetchFailure({ stderrTail }).code).toBe("site_blocked");
  });

  it.each([
    ["timeout", "timeout"],
    ["memory", "too_large"],
    ["output", "too_large"],
  ] as const)("reports a tool that was ended by %s as %s", (ending, code) => {
    expect(classifyFetchFailure({ stderrTail: "", ending }).code).toBe(code);
  });

  it("keeps the output of the tool in the detail, bounded, and out of the message", () => {
    const error = classifyFetchFailure({ stderrTail: `ERROR: secret ${"x".repeat(10_000)}` });
    expect(error.detail?.length).toBeLessThanOrEqual(4_000);
    expect(error.message).not.toContain("secret");
  });
});

it.each([
  ["-24", "script_not_run"],
  ["-9", "script_not_run"],
  // The script ended by itself, with an error: it has changed.
  ["1", undefined],
])("tells a script that was stopped from one that fails: %s is %s", (returncode, name) => {
  const stderr =
    `WARNING: [youtube] [jsc] Error solving n challenge request using "deno" provider: Error running deno process ` +
    `(returncode: ${returncode})\nWARNING: [youtube] abc: n challenge solving failed: Some formats may be missing.\n` +
    "ERROR: [youtube] abc: Requested format is not available";
  const error = classifyFetchFailure({ stderrTail: stderr });
  expect(error).toMatchObject({ code: "site_changed", reason: name === undefined ? undefined : { name } });
});

it.each([
  ["Unable to download webpage: HTTP Error 404: Not Found. Giving up after 3 retries", "site_changed"],
  ["Download of player a1b2c3d4 failed: HTTP Error 404: Not Found", "site_changed"],
  ["Failed to download m3u8 information: HTTP Error 400: Bad Request", "site_changed"],
  ["Failed to download m3u8 information: HTTP Error 403: Forbidden", "site_blocked"],
  ["Unable to download webpage: HTTP Error 429: Too Many Requests", "site_blocked"],
  ["[pot:x:http] Error reaching GET http://127.0.0.1:4416/ping: HTTP Error 404: Not Found", "site_blocked"],
])("does not believe that a video is gone for which a request failed: %j is %s", (words, code) => {
  for (const error of ["No video formats found!", "Failed to extract any player response"]) {
    const stderrTail = `WARNING: [youtube] abc: ${words}\nERROR: [youtube] abc: ${error}`;
    expect(classifyFetchFailure({ stderrTail })).toMatchObject({
      code,
      isTransient: true,
      refuses: expect.any(String),
    });
  }
});

it.each([
  ["PLx: Unable to download API page: HTTP Error 404: Not Found", "site_changed"],
  ["PLx: Unable to download API page: HTTP Error 400: Bad Request", "site_changed"],
  ["PLx: Failed to resolve url (does the playlist exist?)", "site_changed"],
  ["PLx: Unable to download API page: HTTP Error 429: Too Many Requests", "site_blocked"],
  ["PLx: YouTube said: The playlist does not exist.", "unavailable"],
])("does not believe that a list is gone whose page cannot be read: %j is %s", (words, code) => {
  const unread = "WARNING: [youtube:tab] unable to extract yt initial data; please report this issue on  https://x\n";
  expect(classifyFetchFailure({ stderrTail: `${unread}ERROR: [youtube:tab] ${words}` }).code).toBe(code);
});

it.each([
  ["ERROR: [youtube] abc: This video is on the moon", "ERROR: [youtube] This video is on the moon"],
  ["ERROR: [youtube] abc: Private video. Sign in if you've been granted access to this video", undefined],
  ["ERROR: [youtube] abc: No video formats found!", undefined],
  ["ERROR: [vimeo] abc: This video is on the moon", undefined],
])("shows of %j the reason that no rule knows: %j", (stderr, reason) => {
  expect(unknownReason(`${WARNING}${stderr}`)).toBe(reason);
});

describe("classifyFetchFailure with the kind of the refusal", () => {
  it.each([
    ["country", "[nrk] x: Kun for Norge", "geo_blocked", undefined],
    [
      "country",
      "[youtube] x: The uploader has not made this video available in your country",
      "geo_blocked",
      undefined,
    ],
    ["not live", "[tiktok:live] x: The channel is not currently live", "live", "not_live_now"],
    ["network", "[site] x: Unable to download JSON metadata: (caused by RequestError())", "network", undefined],
    ["expected", "[site] x: This post has been deleted by its author", "unavailable", "refused_by_site"],
    // What is known by its words keeps what they say.
    [
      "expected",
      "[site] x: This video is only available for registered users. Use --cookies",
      "login_required",
      undefined,
    ],
    ["expected", "[site] x: This video is DRM protected", "unavailable", "copy_protected"],
    ["expected", "[site] x: No video formats found!", "unavailable", undefined],
    ["expected", "[youtube] x: Words of next year", "site_changed", undefined],
    ["network", "[site] x: Unable to download webpage: HTTP Error 404: Not Found", "unavailable", undefined],
    ["upcoming 99999999999", "[site] x: No video formats found!", "live", "starts_later"],
    ["upcoming 1", "[site] x: No video formats found!", "live", undefined],
    ["upcoming 99999999999", "[youtube] x: No video formats found!", "site_changed", undefined],
  ])("reads %s: %s as %s", (kind, message, code, name) => {
    const error = classifyFetchFailure({ stderrTail: `REFUSAL: ${kind}\nERROR: ${message}\n` });
    expect(error).toMatchObject({ code, reason: name && { name } });
  });

  it.each([
    ["site", "Requested format is not available", "unavailable", "picture_only"],
    ["site", "No video formats found!", "unavailable", undefined],
    ["youtube", "Requested format is not available", "site_changed", undefined],
  ])("reads pictures without a video of [%s] with %j as %s", (extractor, message, code, name) => {
    const warning = "WARNING: Only images are available for download. Use --list-formats to see them";
    const stderrTail = `${warning}\nREFUSAL: expected\nERROR: [${extractor}] x: ${message}\n`;
    expect(classifyFetchFailure({ stderrTail })).toMatchObject({ code, reason: name && { name } });
  });

  it("asks for a browser where the site does", () => {
    const message = "[site] x: This request requires browser impersonation, however you may be missing dependencies";
    expect(classifyFetchFailure({ stderrTail: `ERROR: ${message}` })).toMatchObject({
      code: "site_blocked",
      isTransient: false,
      reason: { name: "wants_browser" },
    });
  });
});

describe("classifyMediaFailure", () => {
  it.each([
    ["[mov,mp4 @ 0x1] moov atom not found\nfile:source-0: Invalid data found when processing input", "file_damaged"],
    ["file:source-0: Invalid data found when processing input", "not_readable"],
  ])("gives the reason for %j: %s", (stderrTail, name) => {
    expect(classifyMediaFailure({ stderrTail })).toMatchObject({ code: "unavailable", reason: { name } });
  });

  it.each([
    ["[mov,mp4 @ 0x1] moov atom not found\nfile:source-0: Invalid data found when processing input", "unavailable"],
    ["[hls @ 0x1] Format not on whitelist 'mov,mp4'\nfile:source-0: Invalid argument", "unavailable"],
    ["file:source-0: End of file", "unavailable"],
    ["[in#0 @ 0x1] Error opening input: End of file\nError opening input file file:source-0.", "unavailable"],
    ["pipe:0: End of file", "internal"],
    ["[in#0 @ 0x1] Error opening input: End of file\nError opening input file pipe:0.", "internal"],
    ["av_interleaved_write_frame(): No space left on device", "storage"],
    ["Unknown encoder 'libmp3lame'", "internal"],
  ])("reads %j as %s", (stderrTail, code) => {
    expect(classifyMediaFailure({ stderrTail }).code).toBe(code);
  });
});

it.each([
  [
    "WARNING: [youtube] x: There are missing subtitles languages because a PO token was not provided. " +
      "Subtitles for these languages are missing: en.",
    true,
  ],
  ["WARNING: [youtube] x: Some web client https formats have been skipped", false],
  ["ERROR: [generic] missing subtitles languages because a PO token was not provided", false],
  ["", false],
])("knows from %j whether subtitles are withheld: %j", (stderr, isWithheld) => {
  expect(withholdsSubtitles(`${WARNING}${stderr}\n`)).toBe(isWithheld);
});
