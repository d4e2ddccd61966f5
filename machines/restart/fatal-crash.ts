import type { Cause } from '../../contracts/types.ts';
import type { FatalCrash } from '../failures/in-place.ts';
import { policyRule } from '../model/policy.ts';
import { causeOfPodFailure } from './restart-policy.ts';

/** Returns the cause of a job that ends by a program that the kubelet restarts in place: its pod has not failed. */
export function causeOfFatalCrash({ crash, class: name, rules }: FatalCrash): Cause {
  const path = `failures.classes.${name}`;
  return rules.final
    ? causeOfPodFailure(crash, { reason: 'FinalFailure', rule: policyRule(`${path}.final`, true) })
    : causeOfPodFailure(crash, {
        reason: 'FailureBudgetExceeded',
        rule: policyRule(`${path}.budget`, rules.budget),
      });
}
