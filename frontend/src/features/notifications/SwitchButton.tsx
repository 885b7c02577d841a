import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { PanelItem } from "../../components/PanelButton.tsx";

const Track = chakra("span", {
  base: {
    flexShrink: 0,
    w: "8",
    h: "5",
    ms: "auto",
    p: "0.5",
    borderRadius: "full",
    border: "1px solid {colors.edge}",
    bg: "track",
    "& > span": { display: "block", h: "full", aspectRatio: "1", borderRadius: "full", bg: "fg.muted" },
    "&[data-on]": { bg: "accent", borderColor: "accent.text", "& > span": { bg: "accent.ink", ms: "auto" } },
  },
});

export interface SwitchButtonProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
  /** The icon. */
  readonly children: ReactNode;
}

/** A named switch of the panel "When ready…". */
export function SwitchButton({ label, isOn, onPress, children }: SwitchButtonProps) {
  return (
    <PanelItem asChild>
      <button type="button" aria-pressed={isOn} onClick={onPress}>
        {children}
        {label}
        <Track data-on={isOn || undefined}>
          <span />
        </Track>
      </button>
    </PanelItem>
  );
}
