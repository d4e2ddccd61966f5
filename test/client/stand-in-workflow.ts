import {
  ApplicationFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Intervention } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { isFinal, type JobStatus, type Phase } from '../../contracts/status.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * Stands in for the engine where the client's own rules are tested: it enters the phases that signals name, and ends
 * as the engine's workflow ends. The annotation `stand-in` names phases to enter at once.
 */
export async function trainingJob(manifest: Manifest): Promise<JobStatus> {
  const { kind, metadata } = manifest;
  const inbox: string[] = metadata.annotations?.['stand-in']?.split(',') ?? [];
  let status: JobStatus = {
    ...{ kind, name: metadata.name, namespace: metadata.namespace, phase: 'Pending', state: 'Pending' },
    ...{ attempt: 1, restarts: 0, conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
    startTime: new Date().toISOString(),
  };
  setHandler(defineQuery<JobStatus>('status'), () => status);
  setHandler(defineSignal<[string]>('enter'), (phase) => void inbox.push(phase));
  setHandler(defineUpdate<void, [Intervention]>('stop'), () => void inbox.push('Stopped'));
  for (;;) {
    await condition(() => inbox.length > 0);
    const next = inbox.shift();
    if (next === 'ContinueAsNew') {
      const annotations: Record<string, string> = inbox.length > 0 ? { 'stand-in': inbox.join(',') } : {};
      await continueAsNew<typeof trainingJob>({ ...manifest, metadata: { ...metadata, annotations } });
    }
    if (next === 'InvalidManifest') {
      const faults = [{ path: 'spec', expected: 'something', got: 'nothing' }];
      throw ApplicationFailure.nonRetryable('faults', 'InvalidManifest', faults);
    }
    status = entered(status, next as Phase);
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.phase, value: status.phase }]);
    if (status.phase === 'Failed') throw ApplicationFailure.nonRetryable('failed', 'JobFailed', status);
    if (isFinal(status.phase)) return status;
  }
}

function entered(status: JobStatus, phase: Phase): JobStatus {
  const at = new Date().toISOString();
  const reason = { Failed: 'PodFailed', Stopped: 'StopRequested' }[phase as string] as
    | 'PodFailed'
    | undefined;
  const entry = { at, phase, state: phase, attempt: status.attempt, cause: `entered ${phase}` };
  return {
    ...status,
    ...{ phase, state: phase, timeline: [...status.timeline, entry] },
    ...(reason ? { cause: { reason, message: `because of ${reason}` } } : {}),
    ...(isFinal(phase) ? { completionTime: at } : {}),
  };
}
