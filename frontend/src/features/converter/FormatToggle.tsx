import { SegmentGroup } from "@chakra-ui/react";
import { Format } from "../../../../common/tiers.ts";
import { useTexts } from "../../texts/store.ts";

export interface FormatToggleProps {
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

export function FormatToggle({ format, onChange }: FormatToggleProps) {
  const texts = useTexts().converter;
  return (
    <SegmentGroup.Root
      aria-label={texts.format}
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
