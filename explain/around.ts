import type { Amounts } from '../contracts/pod-requests.ts';
import type { Moment } from './moment.ts';
import type { NodeView } from './situation.ts';
import type { NeighbourCounts } from './topology-terms.ts';

/** What pods that look for a place find. */
export interface Around {
  readonly nodes: readonly NodeView[];
  readonly free: ReadonlyMap<string, Amounts>;
  readonly neighbours: NeighbourCounts | undefined;
  readonly moment: Moment;
  /** Whether nodes that do not match the pods count, too. */
  readonly isAnywhere: boolean;
}
