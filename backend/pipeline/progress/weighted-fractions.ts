/** The fraction of a whole whose parts have weights. */
export class WeightedFractions {
  readonly #weights: readonly number[];
  readonly #totalWeight: number;
  readonly #fractions: number[];

  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
    this.#fractions = weights.map(() => 0);
  }

  /**
   * Sets the fraction of one part; a lower one than before is ignored.
   * @returns fraction of the whole, 0 to 1
   */
  update(position: number, fraction: number): number {
    this.#fractions[position] = Math.max(this.#fractions[position] ?? 0, fraction);
    return this.#fractions.reduce(
      (sum, one, index) => sum + (one * (this.#weights[index] ?? 0)) / this.#totalWeight,
      0,
    );
  }
}
