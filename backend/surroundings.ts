/** What a server finds when it starts: the programs and services it uses, wherever they came from. */
import type { SampleLink } from "../common/api.ts";
import type { HostEntry } from "../common/hosts.ts";

export interface Surroundings {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  /** The built frontend. */
  readonly distFolder: string;
  /** Taken beside `VIDEO_HOSTS`. */
  readonly extraVideoHosts: readonly HostEntry[];
  readonly sampleLinks: readonly SampleLink[];
  /** Rejects when something the server cannot do without has ended by itself. */
  readonly broken: Promise<never>;
  /** Ends what was started; after everything else. */
  stop(): Promise<void>;
}
