import type { Domain } from "../domain/domain.ts";
import type { ConversionLeases } from "../domain/jobs/conversion-leases.ts";
import type { ConvertedFile, ConvertListener, ConvertRequest } from "../pipeline/convert.ts";
import type { TapeRequest } from "../pipeline/tape/join-songs.ts";
import type { EarlyFiles } from "../storage/early-files.ts";
import type { FileStore } from "../storage/file-store.ts";

/** What a worker needs to run jobs; the same for all jobs of a process. */
export interface JobContext {
  readonly domain: Domain;
  readonly store: FileStore;
  /** Where files are offered while they are made; absent where other processes answer the requests for them. */
  readonly earlyFiles?: EarlyFiles | undefined;
  readonly leases: ConversionLeases;
  /** Parent of the temporary folders, one for each conversion. */
  readonly scratchFolder: string;
  /** Shortest time between two database writes of one job's progress. */
  readonly writeIntervalMs: number;
  /** How long storing a finished file is repeated while the storage does not answer. */
  readonly storePatienceMs: number;
  convert(request: ConvertRequest, listener: ConvertListener, signal: AbortSignal): Promise<ConvertedFile>;
  joinSongs(request: TapeRequest, listener: ConvertListener, signal: AbortSignal): Promise<ConvertedFile>;
  /** Looks for a newer yt-dlp, not too often. Absent: the one in use stays. */
  readonly lookForNewerTool?: (() => void) | undefined;
  log: {
    debug(data: object, text: string): void;
    info(data: object, text: string): void;
    warn(data: object, text: string): void;
    error(data: object, text: string): void;
  };
}
