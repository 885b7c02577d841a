import { useState } from "react";
import type { OperatorAct } from "../../../../common/operator-calls.ts";
import { sentenceFor } from "../../api/errors.ts";
import { operatorApi } from "../../api/operator-api.ts";
import { notify } from "../../client/toaster.ts";
import { useOperatorTexts } from "../../texts/operator/index.ts";

export const ACTED = "acted";
/** Gets the event {@link ACTED} after each act, so that every section shows what it changed. */
export const acts = new EventTarget();

/** @returns `act` carries something out and says how it went in a toast; it resolves with whether it worked */
export function useAct(): { readonly isBusy: boolean; readonly act: (act: OperatorAct) => Promise<boolean> } {
  const [isBusy, setIsBusy] = useState(false);
  const texts = useOperatorTexts();

  async function act(asked: OperatorAct): Promise<boolean> {
    setIsBusy(true);
    try {
      await operatorApi.act(asked);
      notify({ kind: "success", title: texts.done });
      return true;
    } catch (error) {
      notify({ kind: "error", title: texts.failed, description: sentenceFor(error, texts.away.title) });
      return false;
    } finally {
      setIsBusy(false);
      acts.dispatchEvent(new Event(ACTED));
    }
  }
  return { isBusy, act };
}
