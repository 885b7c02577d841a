import type { ComponentType } from "react";
import { createStore } from "zustand/vanilla";
import type { Job } from "../../../common/job.ts";

/** What each row shows beside what the first scripts show; null until that has come. */
export const rowNote = createStore<{ readonly Note: ComponentType<{ job: Job }> | null }>(() => ({ Note: null }));
