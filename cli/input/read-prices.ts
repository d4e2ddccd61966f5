import type { Prices } from '../../contracts/schemas/prices.ts';
import { UsageError } from '../shell/errors.ts';
import { readDocuments } from './documents.ts';

/** Prices, and the document that they were read from: what the client takes. */
export interface GivenPrices {
  readonly prices: Prices;
  readonly document: unknown;
}

/** Reads a file of prices; undefined if there is none. All faults are named at once. */
export async function readPrices(path: string | undefined): Promise<GivenPrices | undefined> {
  if (path === undefined) return undefined;
  const [{ parsePrices }, { formatFault }] = await Promise.all([
    import('../../contracts/schemas/prices.ts'),
    import('../../contracts/faults.ts'),
  ]);
  const documents = await readDocuments(path);
  if (documents.length !== 1)
    throw new UsageError(`${path}: expected one document of prices, got ${documents.length}.`);
  const document = documents[0]!.value;
  const read = parsePrices(document);
  if ('prices' in read) return { prices: read.prices, document };
  const faults = read.faults.map((fault) => `  ${formatFault(fault)}`).join('\n');
  throw new UsageError(`${path}: the prices are invalid:\n${faults}`, {
    remedy: 'docs/cost.md#prices has an example.',
  });
}
