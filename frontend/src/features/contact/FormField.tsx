import { Box, chakra } from "@chakra-ui/react";
import { useId } from "react";
import type { ReactNode } from "react";
import { Input } from "../../components/Input.tsx";

export interface FormFieldProps {
  readonly name: string;
  readonly label: string;
  readonly defaultValue: string;
  /** A sentence about what is wrong; undefined when the value is valid. */
  readonly problem: string | undefined;
  readonly isLocked?: boolean;
  readonly as?: "input" | "select" | "textarea";
  readonly type?: "text" | "email";
  readonly autoComplete?: string;
  readonly maxLength?: number | undefined;
  /** Options of a select. */
  readonly children?: ReactNode;
}

/** A field with label above and problem below. The problem's line is always reserved, so that nothing moves. */
export function FormField({
  name,
  label,
  defaultValue,
  problem,
  isLocked = false,
  as = "input",
  type,
  autoComplete,
  maxLength,
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
        defaultValue={defaultValue}
        required
        // Selects do not support readOnly.
        readOnly={as === "select" ? undefined : isLocked}
        autoComplete={autoComplete}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        maxLength={maxLength}
      >
        {as === "select" ? children : undefined}
      </Input>
      <Box id={`${id}-problem`} minH="6" pt="1" fontSize="sm" fontWeight={600} color="bad">
        {problem}
      </Box>
    </Box>
  );
}
