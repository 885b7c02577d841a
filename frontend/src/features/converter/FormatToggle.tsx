import { Segments } from "../../components/Segments.tsx";
import { Format } from "../../../../common/tiers.ts";
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
      values={Format.options}
      value={format}
      onChange={onChange}
      isWide
    >
      {(option) => option.toUpperCase()}
    </Segments>
  );
}
