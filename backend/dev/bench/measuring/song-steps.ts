/** Where the time of one conversion from a YouTube-shaped site goes. */

interface TimedRequest {
  readonly kind: string;
  /** When it came and when it was answered, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
}

interface SongMoments {
  readonly postedAtMs: number;
  /** When the last byte of the finished file was written. */
  readonly writtenAtMs: number;
  readonly completedAtMs: number;
}

/**
 * @param requests of the conversion at the site
 * @returns seconds of steps that follow one another; `LAME` is what encoding takes after the last byte of media
 */
export function songSteps(requests: readonly TimedRequest[], moments: SongMoments): Record<string, number> {
  const { postedAtMs, writtenAtMs, completedAtMs } = moments;
  const of = (wanted: string): TimedRequest[] => requests.filter(({ kind }) => kind === wanted);
  const firstMs = (wanted: string): number => Math.min(...of(wanted).map(({ fromMs }) => fromMs));
  const fetchedMs = Math.max(...of("media").map(({ toMs }) => toMs));
  const ends = {
    host: firstMs("page"),
    page: firstMs("player"),
    "player call": firstMs("media"),
    media: fetchedMs,
    LAME: Math.max(fetchedMs, writtenAtMs),
    store: completedAtMs,
  };
  let fromMs = postedAtMs;
  return Object.fromEntries(
    Object.entries(ends).map(([step, toMs]) => {
      const seconds = (toMs - fromMs) / 1_000;
      fromMs = toMs;
      return [step, seconds];
    }),
  );
}
