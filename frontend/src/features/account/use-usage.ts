import { useEffect } from "react";
import type { Usage } from "../../../../common/api.ts";
import { useConnection, useUser } from "../../client/stores.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { refreshUsage } from "./account-client.ts";

/** This month's usage: loaded when the page opens and after each new connection, and updated by pushes. */
export function useUsage(): Usage | null {
  const status = useConnection((state) => state.status);
  useEffect(() => {
    if (status !== "connecting") void refreshUsage();
  }, [status]);
  return useUser((state) => state.usage);
}

/** Formats this month's amount of data. @returns for example "12.3 MB", or "Unknown" */
export function useDataUsed(usage: Usage | null): string {
  const formats = useFormats();
  const { unknown } = useTexts().figures;
  return usage ? formats.fileSize(usage.totalDataUsed) : unknown;
}
