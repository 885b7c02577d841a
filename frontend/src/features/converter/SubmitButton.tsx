import { Button } from "@chakra-ui/react";
import type { ButtonProps } from "@chakra-ui/react";
import { useTexts } from "../../texts/store.ts";

export interface SubmitButtonProps extends Pick<ButtonProps, "aria-disabled" | "aria-describedby"> {
  readonly label: string;
  /** While the request is on its way. */
  readonly isPending: boolean;
  /** There is nothing to start. */
  readonly isPale: boolean;
}

/** Starts the conversions of a form. On phones it is as wide as the form. */
export function SubmitButton({ label, isPending, isPale, ...described }: SubmitButtonProps) {
  const { starting } = useTexts().converter;
  return (
    <Button
      type="submit"
      size="lg"
      variant={isPale ? "subtle" : "solid"}
      w={{ base: "full", sm: "auto" }}
      minW="8.5rem"
      aria-busy={isPending}
      disabled={isPending}
      // For theme/base.css, before the app runs.
      data-busy={starting}
      {...described}
    >
      {isPending ? starting : label}
    </Button>
  );
}
