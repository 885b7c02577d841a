import { useEffect } from "react";
import type { Usage } from "../../../../common/api.ts";
import { refreshUsage, useConnection, useUser } from "../../client/client.ts";
import { useFormats, useTexts } from "../../texts/store.ts";

/** What was used this month: asked for when the page opens and after each new connection, pushed in between. */
export function useUsage(): Usage | null {
  const status = useConnection((state) => state.status);
  useEffect(() => {
    if (status !== "connecting") void refreshUsage();
  }, [status]);
  return useUser((state) => state.usage);
}

/** "12.3 MB", or "Unknown". */
export function useDataUsed(usage: Usage | null): string {
  const formats = useFormats();
  const { unknown } = useTexts().figures;
  return usage ? formats.megabytes(usage.totalDataUsed) : unknown;
}
