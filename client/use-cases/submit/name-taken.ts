import type { WorkflowExecutionInfo } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { MEMO } from '../../../contracts/messages.ts';
import type { JobStatus } from '../../../contracts/types.ts';
import { NameTakenError } from '../../errors/errors.ts';
import { summaryOf } from '../../servers/summary.ts';

type Described = Pick<
  WorkflowExecutionInfo,
  'workflowId' | 'runId' | 'status' | 'startTime' | 'closeTime' | 'memo' | 'typedSearchAttributes'
>;

interface Submitted {
  readonly hash: string;
  readonly isRerun: boolean;
  /** From the manifest of the live job, in words. */
  readonly differences: string;
}

/** Says that a live job has the name. */
export function nameTaken(last: Described, { hash, isRerun, differences }: Submitted): NameTakenError {
  const { phase, name } = summaryOf(last);
  const taken = { workflowId: last.workflowId, phase, since: last.startTime };
  const stop = `Stop it (${commandFor('stop', last)})`;
  if (isRerun) {
    const remedy = `${stop}, or give the new job another name, e.g. ${name}-2.`;
    return new NameTakenError({ ...taken, remedy, what: 'The job to run again' });
  }
  const isSameManifest = last.memo?.[MEMO.manifestHash] === hash;
  const what = isSameManifest
    ? `Another submission of this manifest, with ${keyOfSubmission(last)},`
    : undefined;
  const otherName = `${stop}, or choose another metadata.name.`;
  return new NameTakenError({ ...taken, remedy: otherName, what, differences });
}

/** Says that an ended job keeps its name until its failed pods are released. */
export function nameHeld(last: Described, status: JobStatus): NameTakenError {
  const { workflowId, startTime: since } = last;
  const why = status.cause ? `: ${status.cause.message}` : '';
  return new NameTakenError({
    ...{ workflowId, since, phase: status.phase },
    message: `${workflowId} has ended, ${status.phase}, and its failed pods are held for inspection${why}.`,
    remedy: `Nothing was started. Release it (${commandFor('release', last)}) and submit again, or choose another metadata.name.`,
  });
}

/** Says that the clean-up of an ended job has taken too long. */
export function nameNotFree(
  last: Described,
  { phase, why, waited }: { readonly phase: string; readonly why: string; readonly waited: string },
): NameTakenError {
  const { workflowId, startTime: since } = last;
  return new NameTakenError({
    ...{ workflowId, since, phase },
    message: `${workflowId} has ended, ${phase}, and its clean-up was not over after ${waited}${why && `: ${why}`}.`,
    remedy: `Nothing was started. See what it waits for (${commandFor('get', last)}) and submit again, or choose another metadata.name.`,
  });
}

function commandFor(command: string, last: Described): string {
  const { workflowId, name, namespace } = summaryOf(last);
  const isUsual = workflowIdOf({ namespace, name }) === workflowId;
  return isUsual
    ? `\`signalbox ${command} ${name} -n ${namespace}\``
    : `\`signalbox ${command} --workflow-id ${workflowId}\``;
}

function keyOfSubmission({ memo }: Described): string {
  const key = memo?.[MEMO.key];
  return key === undefined ? 'no key' : `the key ${JSON.stringify(key)}`;
}
