/** Player responses of the YouTube-shaped site: which formats a client gets, with which addresses. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { ADAPTIVE_FORMATS, type ClipFormat, MUXED_FORMAT } from "./clips.ts";
import { MEDIA_HOST, type MediaAddresses } from "./media-addresses.ts";
import { RELOAD_STATUS, tellCookies, type Video } from "./videos.ts";

/** Clients that get plain addresses, without challenges and without format 18. */
const SCRIPTLESS: ReadonlySet<string> = new Set(["VISIONOS", "ANDROID_VR", "IOS"]);

export interface PlayerCall {
  readonly videoId: string;
  readonly client: string;
  readonly exit: string;
  readonly signatureTimestamp?: number;
  /** The `Cookie` of a signed-in visitor. */
  readonly accountCookies?: string | undefined;
}

interface SoundTrack {
  readonly audioTrack?: { readonly displayName: string; readonly id: string; readonly audioIsDefault: boolean };
  readonly isDrc?: boolean;
}

function soundTracks(video: Video): readonly SoundTrack[] {
  const tracks: SoundTrack[] = (video.languages ?? [undefined]).map((language, index) =>
    language === undefined
      ? {}
      : {
          audioTrack: {
            displayName: index === 0 ? `${language} original` : language,
            id: `${language}.${index === 0 ? 4 : 3}`,
            audioIsDefault: index === 0,
          },
        },
  );
  return video.hasDrcSound ? tracks.flatMap((track) => [{ ...track, isDrc: true }, track]) : tracks;
}

function writtenTrack({ videoId, client }: PlayerCall, video: Video): Record<string, unknown> {
  const { language, name, trackId } = video.writtenSubtitles ?? { language: "en", name: "English", trackId: undefined };
  const { withholdsSubtitlesFrom = [], emptySubtitlesFor = [] } = video;
  const isWithheld = withholdsSubtitlesFrom === true || withholdsSubtitlesFrom.includes(client);
  // The mark of an experiment in which the file is given with a token only.
  const experiment = isWithheld ? "&exp=xpe" : "";
  const emptiness = emptySubtitlesFor.includes(client) ? "&empty=1" : "";
  return {
    baseUrl: `https://www.youtube.com/api/timedtext?v=${videoId}&lang=${language}${experiment}${emptiness}`,
    name: { simpleText: name },
    languageCode: language,
    vssId: trackId === undefined ? `.${language}` : `.${language}.${trackId}`,
  };
}

function automaticTrack(videoId: string): Record<string, unknown> {
  return {
    baseUrl: `https://www.youtube.com/api/timedtext?v=${videoId}&lang=de&kind=asr`,
    name: { simpleText: "German (auto-generated)" },
    languageCode: "de",
    kind: "asr",
    vssId: "a.de",
  };
}

/** Makes player responses; addresses are good for the exit that made the call. */
export class PlayerResponses {
  readonly #clips: () => Promise<string>;
  readonly #addresses: MediaAddresses;
  readonly #seconds: number;

  /**
   * @param clips returns the folder of the clips on disk
   * @param seconds their length
   */
  constructor(clips: () => Promise<string>, addresses: MediaAddresses, seconds: number) {
    this.#clips = clips;
    this.#addresses = addresses;
    this.#seconds = seconds;
  }

  /** @returns the JSON of `/youtubei/v1/player` */
  async make(video: Video | undefined, call: PlayerCall): Promise<Record<string, unknown>> {
    if (!video)
      return {
        playabilityStatus: { status: "ERROR", reason: "This video is unavailable" },
        videoDetails: { videoId: call.videoId },
      };
    const base = { playabilityStatus: { status: "OK" }, ...this.#about(video, call) };
    const isAllowed =
      video.allowedClients?.includes(call.client) || (video.isForAccounts && call.accountCookies !== undefined);
    if (video.isTellingCookies && call.accountCookies !== undefined)
      return { ...base, playabilityStatus: tellCookies(call.accountCookies) };
    const ownRefusal = video.refusals?.[call.client];
    if (ownRefusal) return { ...base, playabilityStatus: ownRefusal };
    const isRefused = video.refusal !== undefined && !isAllowed;
    if (isRefused) return { ...base, playabilityStatus: video.refusal };
    const isScriptless = SCRIPTLESS.has(call.client);
    if (!isScriptless && call.signatureTimestamp !== this.#addresses.player.signatureTimestamp)
      return { ...base, playabilityStatus: RELOAD_STATUS };
    return { ...base, ...ads(video), streamingData: await this.#streamingData(video, call, isScriptless) };
  }

  #about(video: Video, call: PlayerCall): Record<string, unknown> {
    const { videoId, client } = call;
    const hasSubtitles = video.subtitleClients?.includes(client) ?? true;
    const isLive = video.live === "now";
    return {
      videoDetails: {
        videoId,
        title: video.title,
        lengthSeconds: `${this.#seconds}`,
        channelId: "UCaaaaaaaaaaaaaaaaaaaaaa",
        author: "A channel",
        shortDescription: video.description ?? "",
        isLiveContent: video.live !== undefined,
        ...(isLive ? { isLive } : {}),
        ...(video.live === "upcoming" ? { isUpcoming: true } : {}),
        ...(video.live === "ended" ? { isPostLiveDvr: true } : {}),
        thumbnail: {
          thumbnails: [{ url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`, width: 480, height: 360 }],
        },
      },
      ...(video.startsInSeconds === undefined
        ? {}
        : {
            microformat: {
              playerMicroformatRenderer: {
                liveBroadcastDetails: {
                  startTimestamp: new Date(Date.now() + video.startsInSeconds * 1_000).toISOString(),
                },
              },
            },
          }),
      captions: {
        playerCaptionsTracklistRenderer: {
          captionTracks: [
            ...(hasSubtitles ? [writtenTrack(call, video)] : []),
            ...(video.hasAutomaticSubtitles ? [automaticTrack(videoId)] : []),
          ],
        },
      },
    };
  }

  async #streamingData(video: Video, call: PlayerCall, isScriptless: boolean): Promise<Record<string, unknown>> {
    const issue = this.#addresses.issue(call, video.adSeconds);
    const address = (format: ClipFormat, xtags?: string): Record<string, string> =>
      this.#addresses.make(format, issue, isScriptless, xtags);
    const isPoor = video.isPoorForAccounts && call.accountCookies !== undefined;
    const withAddress =
      call.client !== "WEB" && !isPoor && !video.isSabrOnly && (!video.isTokenOnly || call.client === "MWEB");
    const adaptiveFormats = [];
    for (const format of ADAPTIVE_FORMATS.filter(
      ({ heightLines = 0 }) => heightLines <= (video.maxHeightLines ?? Infinity),
    )) {
      const tracks: readonly SoundTrack[] = format.heightLines === undefined ? soundTracks(video) : [{}];
      for (const track of tracks) {
        const language = track.audioTrack === undefined ? "" : `lang=${track.audioTrack.id}`;
        const xtags = [track.isDrc ? "drc=1" : "", language].filter(Boolean).join(":") || undefined;
        const offered = await this.#describe(format);
        adaptiveFormats.push({ ...offered, ...track, ...(withAddress ? address(format, xtags) : {}) });
      }
    }
    if (video.hasUpscaledPicture) {
      const upscaled = ADAPTIVE_FORMATS.find(({ heightLines }) => heightLines === 1_080);
      if (upscaled) adaptiveFormats.push({ ...(await this.#describe(upscaled)), ...address(upscaled, "sr=1") });
    }
    const muxed =
      isScriptless || video.isSabrOnly || video.isTokenOnly
        ? []
        : [{ ...(await this.#describe(MUXED_FORMAT)), ...address(MUXED_FORMAT) }];
    return {
      expiresInSeconds: "21540",
      serverAbrStreamingUrl: `https://${MEDIA_HOST}/videoplayback?sabr=1`,
      ...(isScriptless && !video.isSabrOnly && !video.isTokenOnly
        ? { hlsManifestUrl: `https://manifest.googlevideo.com/api/manifest/hls_variant` }
        : {}),
      adaptiveFormats,
      ...(muxed.length > 0 ? { formats: muxed } : {}),
    };
  }

  async #describe(format: ClipFormat): Promise<Record<string, unknown>> {
    const { size } = await stat(path.join(await this.#clips(), "clip", format.file));
    const height = format.heightLines;
    return {
      itag: format.itag,
      mimeType: format.mimeType,
      bitrate: format.bitrateBps,
      averageBitrate: format.bitrateBps,
      contentLength: `${size}`,
      approxDurationMs: `${this.#seconds * 1_000}`,
      lastModified: "1700000000000000",
      ...(height === undefined
        ? { audioQuality: format.itag === 139 ? "AUDIO_QUALITY_LOW" : "AUDIO_QUALITY_MEDIUM" }
        : {
            height,
            width: Math.round((height * 16) / 9),
            fps: 25,
            quality: qualityOf(height),
            qualityLabel: `${height}p`,
          }),
      ...(format.audioSampleHz === undefined ? {} : { audioSampleRate: `${format.audioSampleHz}`, audioChannels: 2 }),
    };
  }
}

function qualityOf(heightLines: number): string {
  if (heightLines >= 720) return `hd${heightLines}`;
  return heightLines >= 480 ? "large" : "medium";
}

function ads({ adSeconds }: Video): Record<string, unknown> {
  if (adSeconds === undefined) return {};
  const instreamVideoAdRenderer = {
    skipOffsetMilliseconds: adSeconds * 1_000,
    playerVars: "length_seconds=15",
  };
  return {
    adSlots: [
      {
        adSlotRenderer: {
          adSlotMetadata: { triggerEvent: "SLOT_TRIGGER_EVENT_BEFORE_CONTENT" },
          fulfillmentContent: {
            fulfilledLayout: { playerBytesAdLayoutRenderer: { renderingContent: { instreamVideoAdRenderer } } },
          },
        },
      },
    ],
  };
}
