import { formatFault } from '../../../contracts/faults.ts';
import { type Prices, parsePrices } from '../../../contracts/schemas/prices.ts';
import { RefusedError } from '../../errors/errors.ts';

/** Reads prices that a program gives; undefined if it gives none. Throws `RefusedError` with all faults, by path. */
export function knownPrices(given: unknown): Prices | undefined {
  if (given === undefined) return undefined;
  const read = parsePrices(given);
  if ('prices' in read) return read.prices;
  throw new RefusedError(`The prices are invalid:\n${read.faults.map(formatFault).join('\n')}`, {
    remedy: 'docs/cost.md#prices has an example.',
  });
}
