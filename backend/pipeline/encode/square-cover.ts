/** Tells from a small grey copy of a picture whether it is a square cover between two sides that show nothing. Pure. */

/** Lines of the copy. Its width follows from the shape of the picture. */
export const SAMPLE_LINES = 36;
/** 16:9 is 1.78. In narrower pictures the cover may have bars above and below it, so it is not looked for. */
const LEAST_WIDTH_PER_LINE = 1.7;

/** Grey levels between neighbours: sides of one colour, with the noise of a JPEG. */
const PLAIN = 1;
/** Sides that are a blurred copy of the cover have this share of its roughness at most. */
const BLURRED_SHARE = 0.4;
/** At the edge of a cover the picture changes more than within a blurred side, by this factor and so many levels. */
const SEAM_FACTOR = 3;
const SEAM_LEVELS = 6;

/** @param grey one byte for each pixel, line by line */
export function hasSquareInMiddle(grey: Uint8Array): boolean {
  const width = grey.length / SAMPLE_LINES;
  if (!Number.isInteger(width) || width < LEAST_WIDTH_PER_LINE * SAMPLE_LINES) return false;
  const level = (x: number, y: number): number => grey[y * width + x] ?? 0;
  /** Mean difference between a column and the one right of it. */
  const step = (x: number): number => {
    let sum = 0;
    for (let y = 0; y < SAMPLE_LINES; y += 1) sum += Math.abs(level(x + 1, y) - level(x, y));
    return sum / SAMPLE_LINES;
  };
  /** Mean difference between neighbours, of the columns from one to before another. */
  const roughness = (from: number, to: number): number => {
    let sum = 0;
    for (let x = from; x < to; x += 1) {
      sum += step(x);
      for (let y = 1; y < SAMPLE_LINES; y += 1) sum += Math.abs(level(x, y) - level(x, y - 1)) / (SAMPLE_LINES - 1);
    }
    return sum / (to - from);
  };
  const edge = (width - SAMPLE_LINES) / 2;
  const left = Math.floor(edge);
  const right = Math.ceil(width - edge);
  const middle = roughness(left + 2, right - 3);
  // The columns beside the edges are mixed with the cover.
  const isSide = (rough: number, seam: number): boolean =>
    rough < PLAIN || (rough < BLURRED_SHARE * middle && seam > SEAM_FACTOR * rough && seam > SEAM_LEVELS);
  const seamAt = (x: number): number => Math.max(step(x - 2), step(x - 1), step(x));
  return (
    middle > PLAIN &&
    isSide(roughness(0, left - 2), seamAt(left)) &&
    isSide(roughness(right + 1, width - 1), seamAt(right))
  );
}
