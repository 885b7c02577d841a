import type { ComponentType } from "react";
import { createStore } from "zustand/vanilla";
import type { Job } from "../../../common/job.ts";

/** What each row shows below its first line; null, unless a browser needs help with downloads. */
export const rowNote = createStore<{ readonly Note: ComponentType<{ job: Job }> | null }>(() => ({ Note: null }));
