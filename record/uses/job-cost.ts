import type { Prices } from '../../contracts/schemas/prices.ts';
import type { Phase } from '../../contracts/types.ts';
import type { DeviceUse, JobUses } from './job-uses.ts';
import { type PricedSums, pricedSumsOf } from './priced-sums.ts';
import type { RestartFact } from './restart-causes.ts';
import { ettrOf, type PartOfWhole } from './use-sums.ts';

/**
 * A job whose cost is asked.
 *
 * @public
 */
export interface CostedJob {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly workflowId: string;
  readonly firstRunId: string;
  readonly phase: Phase;
}

/**
 * What a job held, what for, and what it cost, as `signalbox cost NAME -o json` prints it.
 *
 * @public
 */
export interface JobCost extends CostedJob {
  readonly resources: readonly PricedSums[];
  /** Effective training time ratio: since the submission, and since the first pod had a node. */
  readonly ettr: { readonly withQueue: PartOfWhole; readonly withoutQueue: PartOfWhole };
  readonly restarts: readonly RestartFact[];
  /** By day, attempt, use, cause, resource and product. */
  readonly uses: readonly DeviceUse[];
}

interface CostSource {
  readonly job: CostedJob;
  readonly uses: JobUses;
  readonly prices: Prices | undefined;
}

export function jobCostOf({ job, uses, prices }: CostSource): JobCost {
  return {
    ...job,
    resources: pricedSumsOf(uses.uses, prices),
    ettr: ettrOf(uses),
    restarts: uses.restarts,
    uses: uses.uses,
  };
}
