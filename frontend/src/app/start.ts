/**
 * Entry point of the app: runs the other scripts one after the other, each in its own task. In one task they
 * would block an average phone for a third of a second.
 */
import "../theme/base.css";
import { announceStartFailure } from "../platform/start-events.ts";

const STAGES: readonly (() => Promise<unknown>)[] = [
  () => import("react-dom/client"),
  () => import("zustand/vanilla"),
  () => import("../theme/theme.ts"),
  () => import("../../../common/tiers.ts"),
  // These three are one script, with what others share of it.
  () => import("../client/client.ts"),
  () => import("./routes.tsx"),
  () => import("./Providers.tsx"),
  async () => (await import("./main.tsx")).started,
];

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function start(): Promise<void> {
  for (const stage of STAGES) {
    await nextTask();
    await stage();
  }
}

start().catch((error: unknown) => {
  announceStartFailure();
  throw error;
});
