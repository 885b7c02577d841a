/**
 * Every reason that yt-dlp or YouTube gives for not giving a video, and what has been judged of it: its code, its exact
 * reason, whether the job is tried again, and who is asked next. A test holds the table of failures against this list, and
 * this list against the installed yt-dlp.
 */
export type ReasonKind = "error" | "warning" | "compared";
/** Texts by what `judgementOf` says of them. */
export type Judged = Readonly<Record<string, readonly string[]>>;

/** A warning that does not tell why there are no formats. */
export const SAYS_NOTHING = "nothing";

/** As read_reasons.py prints them, for yt-dlp 2026.8.19 to 2026.10.26. */
export const REASONS_OF_YT_DLP: Readonly<Record<ReasonKind, Judged>> = {
  error: {
    invalid_link: [
      "A video URL was given without video ID",
      "Did you forget to quote the URL? Remember that & is a meta character in most shells, so yo",
    ],
    "invalid_link/link_cut_off": ["Incomplete YouTube ID {}. URL {} looks truncated."],
    login_required: [
      "Login details are needed to download this content. {}",
      "This video is only available for registered users",
    ],
    "playlist/empty_list": ["This channel does not have a {} tab"],
    "site_blocked, again, next exit": [
      "All player responses are invalid. Your IP is likely being blocked by Youtube",
      "{}. The current session has been rate-limited by YouTube for up to an hour. It is recommen",
      "{}. Your account has been rate-limited by YouTube for up to an hour. It is recommended to",
    ],
    "site_blocked, next client or exit": [". YouTube is requiring a captcha challenge before playback"],
    "site_changed, again, next client": [
      "Cannot identify player {}",
      "Failed to extract any player response",
      "Failed to resolve album to playlist",
      "Incomplete data received",
      "Incomplete data received for comment reply thread. Pass --ignore-errors to ignore and allo",
      "Incomplete yt initial data received",
      "Unable to find selected tab",
      "Unable to find video ID",
      "Unable to recognize tab page",
    ],
    "site_changed, next client": [
      "Cannot extract signature timestamp without player url",
      "Invalid URL: {}",
      "Invalid cookie consent redirect URL",
      "Login with OAuth is no longer supported. {}",
      "No player clients have been requested",
      "Unsupported language code: {}. Supported language codes (case-sensitive): {}.",
      "YouTube said: {}",
      "{}. If you are not downloading private content, or your cookies are only for the first acc",
    ],
    unavailable: [
      "Failed to resolve url (does the playlist exist?)",
      "The channel/playlist does not exist and the URL redirected to youtube.com home page",
    ],
    "unavailable, next client": ["This video is DRM protected"],
  },
  warning: {
    geo_blocked: ["This video is not available from your location due to geo restriction"],
    login_required: [
      "Playlists that require authentication may not extract correctly without a successful webpa",
      "This video is only available for registered users",
    ],
    nothing: [
      "A video URL was given without video ID. Trying to download playlist {}",
      "Bun NPM package downloads only support HTTP/HTTPS proxies; skipping remote NPM package dow",
      "Cannot extract signature timestamp without player url",
      'Cannot parse localized time text "{}"',
      "Challenge solver {} script version {} is not supported (source: {}, variant: {}, supported",
      "Detected YouTube comments looping. Stopping comment extraction as we probably cannot get a",
      "Detected YouTube comments looping. Stopping comment extraction for this thread as we proba",
      'Error from "{}" PO Token cache provider: {}',
      'Error from "{}" PO Token cache provider: {}{}',
      'Error solving {} challenge request using "{}" provider: {}. input = {}',
      'Error solving {} challenge request using "{}" provider: {}. input = {} {}',
      'Error solving {} challenge requests using "{}" provider: {}. requests = {}',
      'Error solving {} challenge requests using "{}" provider: {}. requests = {} {}',
      "Failed to load challenge solver {} script from python package: {}{}",
      "Failed to parse user PREF cookie{}",
      "Failed to read builtin challenge solver {} script{}",
      "Failed to read bun challenge solver lib script: {}{}",
      "Failed to read deno challenge solver lib script: {}{}",
      "Got a GVS PO Token for {} client, but missing Data Sync ID for account. Formats may not wo",
      "Hash mismatch on challenge solver {} script (source: {}, variant: {}, hash: {})!{}",
      "Incomplete data received in embedded initial data; re-fetching using API.",
      'Invalid JS Challenge response received from "{}" provider: {} response = {} request = {} {',
      'Invalid player JS variant name "{}" requested. Valid choices are: {}',
      'Invalid player JS version "{}" specified. It should be "actual" or in the format of STS@HA',
      "Invalid po_token configuration for {} client: {} PO Token should be a base64url-encoded st",
      'Invalid po_token configuration format. Expected "CLIENT.CONTEXT+PO_TOKEN", got "{}"',
      'Invalid webpage_client "{}" requested; falling back to {}',
      'JS Challenge Provider "{}" returned a response for an unknown request: request = {} {}',
      'JS Challenge Provider "{}" returned an invalid response: response = {} {}',
      "Login with password is not supported for YouTube. {}",
      "Malformed storyboard {}: {}{}",
      "No supported JavaScript runtime could be found. Only deno is enabled by default; to use an",
      "No title found in player responses; falling back to title from initial data. Other metadat",
      'Preferring "{}" translated fields. Note that some metadata extraction may fail or be incor',
      "Received incomplete data for a comment reply thread and retrying did not help. Ignoring to",
      "Signature solving failed: Some formats may be missing. {}",
      'Skipping client "{}" since it does not support cookies',
      'Skipping player responses from {} clients (got player responses for video "{}" instead of',
      'Skipping unsupported client "{}"',
      "Some {} client {} formats are possibly damaged. They will be deprioritized",
      "Some {} client {} formats have been skipped as they are DRM protected.",
      "Starting download from the last 120 hours of the live stream since YouTube does not have d",
      "The current session may have an experiment that applies DRM to all videos on the tv client",
      "The provided YouTube account cookies are no longer valid. They have likely been rotated in",
      "Unable to fetch GVS PO Token for {} client: Missing required Data Sync ID for account. You",
      "Unable to fetch GVS PO Token for {} client: Missing required Visitor Data. You may need to",
      "Unable to fetch Player PO Token for {} client: Missing required Video ID",
      "Unable to mark {}watched",
      "Unable to recognize playlist. Downloading just video {}",
      'Unsupported lockup view model content type "{}"{}',
      "YouTube Music is not directly supported. Redirecting to {}",
      "YouTube may have enabled the SABR-only streaming experiment for the current session",
      "YouTube may have enabled the SABR-only streaming experiment for your account",
      "YouTube said: {} - {}",
      "Your account may have an experiment that applies DRM to all videos on the tv client. See h",
      "Youtube said: {}",
      "bun version {} is not supported! {} is the last supported bun version. {} open a bug repor",
      "n challenge solving failed: Some formats may be missing. {}",
      "{} This is a developer option intended for debugging. If you experience any issues while u",
      "{} versions older than {} are missing important optimizations and will solve the JS challe",
      "{}. For more information and alternatives, refer to {}",
      "{}: Some {} client subtitles require a PO Token which was not provided. They will be disca",
      "{}: There are missing subtitles languages because a PO token was not provided. Subtitles f",
      "{}: {} client {} formats require a GVS PO Token which was not provided. They will be skipp",
      "{}Some {} client https formats have been skipped as they are missing a URL. {}. See https:",
    ],
    "site_blocked, again, next client": [
      'Error fetching PO Token from "{}" provider: {}',
      'Error fetching PO Token from "{}" provider: {}{}',
    ],
    unavailable: [
      "Failed to resolve url (does the playlist exist?)",
      "The channel/playlist does not exist and the URL redirected to youtube.com home page",
    ],
  },
  compared: {
    geo_blocked: ["The uploader has not made this video available in your country"],
    login_required: ["age-restricted", "confirm your age", "inappropriate"],
    "site_blocked, again, next client": ["unknown error"],
    "site_blocked, again, next exit": ["This content isn't available, try again later"],
    "site_changed, next client": ["age_check_required", "age_verification_required", "incomplete data", "sign in"],
  },
};

/** The site's own words, as yt-dlp prints them in an error. */
export const REASONS_OF_SITE: Judged = {
  geo_blocked: [
    "Video unavailable. The uploader has not made this video available in your country",
    "Video unavailable. This video contains content from A, who has blocked it in your country on copyright grounds",
  ],
  live: ["This live event has ended.", "This live stream is offline"],
  "live/starts_later": [
    "This live event will begin in 3 hours.",
    "This live event will begin in a few moments.",
    "Premieres in 2 hours",
  ],
  "live/still_processing": [
    "We're processing this video. Check back later.",
    "Video unavailable. We’re processing this video. Check back later.",
    "This video is being processed",
  ],
  login_required: [
    "Sign in to confirm your age. This video may be inappropriate for some users. Use --cookies-from-browser or --cookies for the authentication",
    "This video is age-restricted and only available on YouTube",
    "Please sign in. Use --cookies-from-browser or --cookies for the authentication",
    "The following content may contain suicide or self-harm topics",
    "The following content has been identified by the YouTube community as inappropriate or offensive to some audiences.",
  ],
  "login_required/restricted_mode": [
    "This video is restricted. Try signing in with a Google Workspace account.",
    "Video unavailable. This video is restricted. Try signing in with a Google Workspace account.",
    "This video is unavailable with Restricted Mode enabled. To view this video, you will need to disable Restricted Mode.",
  ],
  members_only: [
    "Join this channel to get access to members-only content like this video, and other exclusive perks.",
    "This video is available to this channel's members on level: A (or any higher level).",
  ],
  "members_only/music_premium": ["This video is only available to Music Premium members"],
  "members_only/paid_video": ["This video requires payment to watch", "This video requires payment to watch."],
  private: [
    "Private video. Sign in if you've been granted access to this video",
    "This video is private. If the owner of this video has granted you access, please sign in.",
  ],
  "site_blocked, again, next client": [
    "The page needs to be reloaded.",
    "An error occurred. Please try again later.",
    "Something went wrong. Refresh or try again later.",
  ],
  "site_blocked, again, next exit": ["This content isn't available, try again later."],
  "site_blocked, next client": [
    "Playback on other websites has been disabled by the video owner",
    "Video unavailable. Playback on other websites has been disabled by the video owner",
    "Video unavailable. This video contains content from A, who has blocked it from display on this website or application",
    "Video unavailable. This video contains content from A. It is restricted from playback on certain sites or applications.",
  ],
  "site_blocked, next client or exit": [
    "Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies for the authentication",
    "Playback unavailable. YouTube is requiring a captcha challenge before playback",
  ],
  "site_changed, again, next client": [
    "The following content is not available on this app.. Watch on the latest version of YouTube.",
    "The video is not available on this device",
    "YouTube is no longer supported in this application or device",
  ],
  unavailable: [
    "This video isn't available anymore",
    "Video unavailable. This video isn't available anymore",
    "Video unavailable. This video has been removed by the uploader",
    "This video has been removed for violating YouTube's Terms of Service",
    "Video unavailable. This video is no longer available because the YouTube account associated with this video has been terminated.",
    "Video unavailable. This video is no longer available because the uploader has closed their YouTube account",
    "This live stream recording is not available.",
    "This video does not exist.",
    "Video unavailable. This video contains content from A, who has blocked it on copyright grounds",
  ],
  "unavailable, next client": [
    "Video unavailable",
    "This video is unavailable",
    "Video unavailable. This video is unavailable",
    "This video is not available",
    "Video unavailable. This video is not available",
    "This content isn't available",
    "This content isn’t available",
    "This video is DRM protected",
  ],
  "unavailable/removed_for_copyright": [
    "Video unavailable. This video is no longer available due to a copyright claim by A",
  ],
};
