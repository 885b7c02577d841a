/** All that shows jobs and waiting requests. Not part of the first scripts: use-job-views.ts loads it after them. */
export { CurrentJob } from "../converter/CurrentJob.tsx";
export { WaitingRequests } from "../network/WaitingRequests.tsx";
export { Rows } from "./Rows.tsx";
