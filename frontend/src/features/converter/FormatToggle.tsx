import { Segments } from "../../components/Segments.tsx";
import type { Format } from "../../../../common/tiers.ts";
import { OFFERED_FORMATS } from "../../stores/offered-formats.ts";
import { useTexts } from "../../texts/store.ts";

export interface FormatToggleProps {
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

export function FormatToggle({ format, onChange }: FormatToggleProps) {
  return (
    <Segments
      label={useTexts().converter.format}
      name="format"
      values={OFFERED_FORMATS}
      value={format}
      onChange={onChange}
      isWide
    >
      {(option) => option.toUpperCase()}
    </Segments>
  );
}
