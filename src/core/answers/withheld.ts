/** Says how much of a model's answer is missing, and why. */
export const describeWithheld = (count: number): string =>
  count === 1
    ? "Sightline left out 1 sentence or table row, because a number in it has no source."
    : `Sightline left out ${count} sentences or table rows, because a number in each has no source.`
