/** Converts a link without the form. */
import type { Job } from "../../../common/job.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
import { isAbort } from "../api/errors.ts";
import type { Requests } from "../outbox/requests.ts";
import { failureNotice } from "../stores/converter.ts";
import type { Notify } from "../stores/notice.ts";
import type { ConverterParts } from "../stores/converter.ts";
import { currentTexts } from "../texts/store.ts";

export interface ConvertLinkParts {
  readonly createConversion: Requests["createConversion"];
  readonly onCreated: (job: Job) => void;
  readonly isJobInView: ConverterParts["isJobInView"];
  readonly notify: Notify;
}

/** @returns a function that starts a conversion; a toast reports the outcome, so it never rejects */
export function createConvertLink({ createConversion, onCreated, isJobInView, notify }: ConvertLinkParts) {
  return async (youtubeUrl: string, format: Format, choices?: ConversionChoices): Promise<void> => {
    try {
      onCreated(await createConversion({ youtubeUrl, format, choices }));
      if (!isJobInView()) notify({ kind: "success", ...currentTexts().converter.notices.started });
    } catch (error) {
      if (!isAbort(error)) notify(failureNotice(error));
    }
  };
}
