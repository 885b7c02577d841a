import { chakra } from "@chakra-ui/react";
import { useId } from "react";
import { useConverter } from "../../client/converter.ts";
import { refusalSentence } from "../../stores/refusal.ts";
import { useTexts } from "../../texts/store.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import { useRefusal } from "./use-refusal.ts";

/**
 * Starts the conversion. While the preview knows that it would fail, the button is marked as disabled with the reason;
 * it stays in the tab order, and pressing it shows the reason.
 */
export function ConvertButton() {
  const isPending = useConverter((state) => state.isPending);
  const isEmpty = useConverter(({ link, list }) => link.trim() === "" && list === null);
  const { convert } = useTexts().converter;
  const refusal = useRefusal();
  const reasonId = useId();
  const isRefused = refusal !== null && !isPending;
  return (
    <>
      <SubmitButton
        label={convert}
        isPending={isPending}
        isPale={isEmpty}
        aria-disabled={isRefused || undefined}
        aria-describedby={isRefused ? reasonId : undefined}
      />
      {isRefused && (
        <chakra.span id={reasonId} srOnly>
          {refusalSentence(refusal)}
        </chakra.span>
      )}
    </>
  );
}
