import { Box, chakra } from "@chakra-ui/react";
import { useId } from "react";
import type { ChangeEvent, ReactNode } from "react";

const Input = chakra("input", {
  base: {
    display: "block",
    w: "full",
    minH: "12",
    px: "4",
    bg: "bg.sunken",
    color: "fg",
    border: "1.5px solid {colors.border}",
    borderRadius: "md",
    font: "inherit",
    transition: "border-color 120ms",
    "&[aria-invalid=true]": { borderColor: "bad" },
    "&:is(textarea)": { py: "3", minH: "9rem", resize: "vertical" },
    "& option": { color: "fg", bg: "surface" },
  },
});

export interface FormFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A sentence about what is wrong; undefined when the value is valid. */
  readonly problem: string | undefined;
  readonly isLocked?: boolean;
  readonly as?: "input" | "select" | "textarea";
  readonly type?: "text" | "email";
  readonly autoComplete?: string;
  /** Options of a select. */
  readonly children?: ReactNode;
}

/** A field with label above and problem below. The problem's line is always reserved, so that nothing moves. */
export function FormField({
  name,
  label,
  value,
  onChange,
  problem,
  isLocked = false,
  as = "input",
  type,
  autoComplete,
  children,
}: FormFieldProps) {
  const id = useId();
  return (
    <Box mb="1">
      <chakra.label htmlFor={id} display="block" fontSize="sm" fontWeight={600} mb="1.5">
        {label}
      </chakra.label>
      <Input
        as={as}
        type={type}
        id={id}
        name={name}
        value={value}
        required
        // Selects do not support readOnly.
        readOnly={as === "select" ? undefined : isLocked}
        autoComplete={autoComplete}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
      >
        {as === "select" ? children : undefined}
      </Input>
      <Box id={`${id}-problem`} minH="6" pt="1" fontSize="sm" fontWeight={600} color="bad">
        {problem}
      </Box>
    </Box>
  );
}
