import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Icon } from "../../components/icons.tsx";
import { NARROW } from "../../theme/narrow.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";

/**
 * On phones over the end of the first line of the details, beside Download; on wider screens over the end of the title. Both
 * leave the room. Not in the flow, so that no row grows by it. No other control is there in any state of a job.
 */
const PLACE = {
  position: "absolute",
  // An end that is not named would be that of the row.
  gridArea: { base: "2 / 1 / 3 / 3", sm: "1 / 2 / 2 / 3" },
  // On phones below what may stand under the title, else in the middle of the title's line.
  top: { base: "1.5", sm: "calc(0.85rem - {sizes.11} / 2)", [NARROW]: "1.125rem" },
  w: "11",
  px: "0",
  alignItems: { base: "start", sm: "center" },
  justifyContent: { base: "end", sm: "center" },
} as const;

/** Over half of the gap to Download; on wider screens the sign of the last one ends where the details end. */
const END = { "beside-download": { base: "-0.5", sm: "-3" }, before: { base: "42px", sm: "8" } };

interface RowSignProps {
  /** Each sign has its own, whether the other one is there or not. */
  readonly place: keyof typeof END;
  readonly label: string;
  readonly hint: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A button with a sign, which comes to a finished row and opens a sheet. */
export function RowSign({ place, label, hint, onPress, children }: RowSignProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      {...PLACE}
      insetInlineEnd={END[place]}
      css={UNTOUCHED_AT_FIRST}
      aria-label={label}
      aria-haspopup="dialog"
      data-tip={hint}
      onClick={onPress}
    >
      <Icon>{children}</Icon>
    </Button>
  );
}
