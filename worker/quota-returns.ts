import type { InjectedSinks } from '@temporalio/worker';
import { type QuotaSink, type ReturnQuotaRequest, returnQuota } from '../activities/return-quota.ts';
import type { Dependencies } from '../activities/support/dependencies.ts';
import { NewestWrites } from './newest-writes.ts';

/** Gives back quota of pods that have ended. Where that is lost, the job keeps it until more of them end, or the job does. */
export class QuotaReturns extends NewestWrites<ReturnQuotaRequest> {
  constructor(tools: Pick<Dependencies, 'cluster' | 'clusterId'>) {
    super((request) => returnQuota(tools, request));
  }

  get sinks(): InjectedSinks<{ readonly quota: QuotaSink }> {
    return { quota: { giveBack: { fn: (_, request) => this.add(request), callDuringReplay: false } } };
  }
}
