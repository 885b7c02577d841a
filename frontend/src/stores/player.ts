/** What the page's one player does, for the rows that show it. */
import { createStore } from "zustand/vanilla";

/** Why a file is played no further: the way to it broke off, or it is made anew. */
export type PlayProblem = "broken" | "startsOver";

export interface PlayerState {
  /** The job whose file is played, paused, or could not be played to its end. */
  readonly jobId: string | null;
  readonly isPlaying: boolean;
  readonly positionSeconds: number;
  /** Undefined until it is known. */
  readonly durationSeconds: number | undefined;
  /** Up to here the player can be moved: what the browser has of a file that is still made. */
  readonly heldSeconds: number;
  readonly problem: PlayProblem | null;
  /** The element, for a file with a picture. */
  readonly video: HTMLVideoElement | null;
}

export type PlayerStore = ReturnType<typeof createPlayerStore>;

export const createPlayerStore = () =>
  createStore<PlayerState>(() => ({
    jobId: null,
    isPlaying: false,
    positionSeconds: 0,
    durationSeconds: undefined,
    heldSeconds: 0,
    problem: null,
    video: null,
  }));
