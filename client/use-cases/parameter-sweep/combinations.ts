import type { ParameterValues } from '../../../contracts/parameter-sweep.ts';

/** Returns how many combinations there are of the values of all parameters. */
export const countCombinations = (set: ParameterValues): number =>
  Object.values(set).reduce((count, { length }) => count * length, 1);

/** Returns the values of one combination. The last parameter changes with each index, as in nested loops. */
export function combinationAt(set: ParameterValues, index: number): Readonly<Record<string, unknown>> {
  let rest = index;
  const chosen = Object.entries(set).map(([name, values]) => ({ name, values, value: values[0] }));
  for (const parameter of chosen.toReversed()) {
    const { values } = parameter;
    parameter.value = values[rest % values.length];
    rest = Math.floor(rest / values.length);
  }
  return Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
}
