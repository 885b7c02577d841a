import { SegmentGroup } from "@chakra-ui/react";
import { Format } from "../../../../common/tiers.ts";

export interface FormatToggleProps {
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

export function FormatToggle({ format, onChange }: FormatToggleProps) {
  return (
    <SegmentGroup.Root
      aria-label="Format"
      value={format}
      onValueChange={({ value }) => onChange(Format.parse(value))}
      w={{ base: "full", sm: "auto" }}
    >
      <SegmentGroup.Indicator />
      {Format.options.map((option) => (
        <SegmentGroup.Item key={option} value={option}>
          <SegmentGroup.ItemText>{option.toUpperCase()}</SegmentGroup.ItemText>
          <SegmentGroup.ItemHiddenInput />
        </SegmentGroup.Item>
      ))}
    </SegmentGroup.Root>
  );
}
