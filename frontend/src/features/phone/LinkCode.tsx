import { chakra } from "@chakra-ui/react";
import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";

/** Modules of light around a code (ISO 18004). */
const QUIET = 4;

const Code = chakra("svg", {
  base: { boxSize: "full", bg: "#fff", borderRadius: "md", forcedColorAdjust: "none" },
});

/** A QR code, dark on light in both colour schemes: many cameras read no other. */
export function LinkCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text);
  const size = code.size + 2 * QUIET;
  return (
    <Code viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={toSvgPath(code)} fill="#000" />
    </Code>
  );
}
