import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";

export interface SwitchButtonProps {
  readonly label: string;
  readonly isOn: boolean;
  /** Its room is reserved while it is not offered. */
  readonly isOffered: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** An icon button that is on or off, in the heading of the queue. */
export function SwitchButton({ label, isOn, isOffered, onPress, children }: SwitchButtonProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      px="0"
      visibility={isOffered ? "visible" : "hidden"}
      aria-label={label}
      aria-pressed={isOn}
      data-tip={label}
      color={isOn ? "accent.text" : "fg.muted"}
      onClick={onPress}
    >
      {children}
    </Button>
  );
}
