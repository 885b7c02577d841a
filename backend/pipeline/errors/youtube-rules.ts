/**
 * What YouTube says of a video that it does not give, and what yt-dlp says when it cannot read YouTube. What is said of
 * the video itself is final. What is said of the client, or may be, `refuses` it: then the next client is asked.
 */
import type { Rule } from "./rule.ts";

/** The plugin of the token provider prints both; the formats that need a token are left out then. */
export const NO_TOKEN = /Error (?:reaching (?:GET|POST) \S*\/(?:ping|get_pot)|fetching PO Token from)/i;

/** Come before the rules for all sites. */
export const YOUTUBE_RULES: readonly Rule[] = [
  {
    pattern: /confirm you.re not a bot|automated (?:requests|queries)|unusual traffic/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "either",
  },
  {
    pattern: /requiring a captcha challenge|solve a captcha|pass the captcha on the site/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "either",
  },
  {
    pattern: /rate-limited by YouTube|content isn.t available, try again later|Your IP is likely being blocked/i,
    code: "site_blocked",
    isTransient: true,
    refuses: "exit",
  },
  {
    pattern:
      /page needs to be reloaded|An error occurred\. Please try again later|Something went wrong|\bunknown error\b/i,
    code: "site_blocked",
    isTransient: true,
    refuses: "client",
  },
  { pattern: /Music Premium members/i, code: "members_only", exact: "music_premium" },
  { pattern: /members.only|Join this channel to get access/i, code: "members_only" },
  { pattern: /requires payment to watch/i, code: "members_only", exact: "paid_video" },
  // The network of the exit asks YouTube for it, such as by a name server for schools.
  {
    pattern: /signing in with a Google Workspace account|with Restricted Mode enabled/i,
    code: "login_required",
    exact: "restricted_mode",
  },
  { pattern: /processing this video|video is being processed/i, code: "live", exact: "still_processing" },
  { pattern: /channel is not currently live/i, code: "live", exact: "not_live_now" },
  // Screens before a video, which a visitor of the site has to close.
  { pattern: /suicide or self-harm topics|\binappropriate\b/i, code: "login_required" },
  { pattern: /Login details are needed to download|only available for registered users/i, code: "login_required" },
  // Another version of the client may be served, and a newer yt-dlp has one.
  {
    pattern:
      /not available on this (?:app|device)|Watch on the latest version of YouTube|no longer supported in this application/i,
    code: "site_changed",
    refuses: "client",
  },
  // Only players on other websites are told so.
  {
    pattern: /Playback on other websites has been disabled/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "client",
  },
  { pattern: /YouTube ID \S+ URL \S+ looks truncated/i, code: "invalid_link", exact: "link_cut_off" },
  { pattern: /Did you forget to quote the URL|video URL was given without video ID$/im, code: "invalid_link" },
  { pattern: /Failed to resolve url \(does the playlist exist/i, code: "unavailable" },
  // The site has answered, and yt-dlp does not find in it what it looks for.
  {
    pattern:
      /Incomplete (?:yt initial )?data received|Unable to (?:recognize tab page|find (?:selected tab|video ID))|Cannot identify player|Failed to resolve album/i,
    code: "site_changed",
    refuses: "client",
  },
];

/** Said of the video or its channel; comes before {@link MAYBE_OF_CLIENT}, with which YouTube begins these sentences. */
export const OF_VIDEO: readonly Rule[] = [
  {
    pattern:
      /has been removed|removed (?:by the (?:user|uploader)|because it violated)|account .* terminated|no longer available/i,
    code: "unavailable",
  },
  {
    pattern: /(?:isn.t|is not) available anymore|recording is not available|(?:video|channel) does not exist/i,
    code: "unavailable",
  },
];

/**
 * YouTube says the same of a video that is gone and of one that it gives to other clients, such as one that is made for
 * children, or whose formats for some clients are encrypted. Videos that all clients are told so of are taken to be gone.
 */
export const MAYBE_OF_CLIENT: readonly Rule[] = [
  { pattern: /^ERROR: \[youtube\] .*DRM protected/im, code: "unavailable", exact: "copy_protected", refuses: "client" },
  {
    pattern:
      /^ERROR: \[youtube\] .*(?:Video unavailable|(?:video|content) (?:is unavailable|(?:is not|isn.t) available))/im,
    code: "unavailable",
    refuses: "client",
  },
];

/**
 * Warnings about one client: a page, call or script of it is not there or not understood, as after the end of its service,
 * or fails, or it gets no open format. YouTube says of no video by a status of HTTP that it is gone. Providers, whose
 * warnings have their name in brackets, have rules of their own.
 */
export const WARNINGS_OF_CLIENT: readonly Rule[] = [
  {
    pattern:
      /^WARNING: \[youtube[\w:]*\] [^[].*HTTP Error (?:40[0124-6]|410)\b|formats have been skipped as they are DRM protected/im,
    code: "site_changed",
    refuses: "client",
  },
  {
    pattern: /^WARNING: \[youtube[\w:]*\] [^[].*HTTP Error (?:403|5[0-8]\d)\b/im,
    code: "site_blocked",
    isTransient: true,
    refuses: "client",
  },
];

/** Deno was killed, such as at its limit of processor time or memory. The number of the signal stands behind the minus. */
export const SCRIPT_STOPPED = /Error running deno process \(returncode: -\d+\)/i;

/** Comes before {@link UNSOLVED_CHALLENGE}, which yt-dlp says then as well. */
export const STOPPED_CHALLENGE: Rule = {
  pattern: SCRIPT_STOPPED,
  code: "site_changed",
  exact: "script_not_run",
  refuses: "client",
};

/** The site's player script has changed, and the solver cannot read it. */
export const UNSOLVED_CHALLENGE: Rule = {
  pattern: /(?:Signature|n challenge) solving failed/i,
  code: "site_changed",
  refuses: "client",
};

/** yt-dlp does not find the data of a list in its page, as when they have moved. Then it makes calls for them. */
export const UNREAD_PAGE: Rule = {
  pattern: /unable to extract yt initial data|Incomplete yt initial data received/i,
  code: "site_changed",
};

/** What the calls after an {@link UNREAD_PAGE} come to. Without the data they ask for nothing that is there. */
export const BLIND_CALL = /Unable to download API page: HTTP Error 4(?!29)|Failed to resolve url \(/i;

/** YouTube gives a reason that no rule knows. It may concern this client only. The fault is not ours. */
export const UNKNOWN_REASON: Rule = {
  pattern: /^ERROR: \[youtube(?::\w+)*\] ./im,
  code: "site_changed",
  isTransient: false,
  refuses: "client",
};
