/**
 * The first script: runs the others one after the other, each in a turn of its own. All at once they
 * would keep a middling phone from answering for a third of a second.
 */
import "../theme/base.css";

const STAGES: readonly (() => Promise<unknown>)[] = [
  () => import("react-dom/client"),
  // First of what uses schemas: they look at this when they are made.
  () => import("../platform/no-eval.ts"),
  () => import("@emotion/react"),
  () => import("../theme/theme.ts"),
  () => import("../../../common/api.ts"),
  () => import("../client/client.ts"),
  () => import("./routes.tsx"),
  () => import("./main.tsx"),
];

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

async function start(): Promise<void> {
  for (const stage of STAGES) {
    await nextTurn();
    await stage();
  }
}

void start();
