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
import { LEDGER_QUERY, type LedgerPage, type LedgerRequest } from '../../contracts/ledger.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { isFinal } from '../../contracts/status.ts';
import type {
  AmendRequest,
  Intervention,
  JobStatus,
  LedgerEntry,
  Phase,
  ScaleRequest,
  TimelineEntry,
} from '../../contracts/types.ts';

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
 * as the engine's workflow ends. The annotation `stand-in` names phases to enter at once; `Stopped/Finishing.CleaningUp`
 * also names a state, in which the job is not over.
 */
export async function trainingJob(manifest: Manifest): Promise<JobStatus> {
  const { kind, metadata } = manifest;
  const inbox: string[] = metadata.annotations?.['stand-in']?.split(',') ?? [];
  let status: JobStatus = {
    ...{ kind, name: metadata.name, namespace: metadata.namespace, phase: 'Pending', state: 'Pending' },
    ...{ attempt: 1, restarts: 0, conditions: [], warnings: [], timeline: [] },
    replicaStatuses: { Worker: { active: 2, succeeded: 1 } },
    startTime: new Date().toISOString(),
  };
  let requester: Intervention = {};
  setHandler(defineQuery<JobStatus>('status'), () => status);
  setHandler(defineQuery<LedgerPage, [LedgerRequest]>(LEDGER_QUERY), ({ from = 1 }) => ({
    entries: status.timeline.map(entryIn).slice(from - 1),
  }));
  setHandler(defineSignal<[string]>('enter'), (phase) => void inbox.push(phase));
  for (const [update, { refusal, failure }] of Object.entries(INTERVENTIONS)) {
    setHandler(
      defineUpdate<void, [Intervention]>(update),
      (asked) => {
        const failed = failure?.(asked);
        if (failed) throw failed;
        status = noted(status, `${update} ${JSON.stringify(asked)}`);
        if (update === 'stop') {
          requester = asked;
          inbox.push('Stopped');
        }
      },
      { validator: (_asked: Intervention) => refuse(refusal?.(status.phase)) },
    );
  }
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
    const [phase, state] = next!.split('/');
    status = { ...entered(status, phase as Phase, requester), ...(state === undefined ? {} : { state }) };
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.phase, value: status.phase }]);
    if (state !== undefined) continue;
    if (status.phase === 'Failed') throw ApplicationFailure.nonRetryable('failed', 'JobFailed', status);
    if (isFinal(status.phase)) return status;
  }
}

interface AskedFor {
  /** Why a job in this phase cannot do it. */
  readonly refusal?: (phase: Phase) => string | undefined;
  /** Of what is asked, as an activity would find it out. */
  readonly failure?: (asked: unknown) => ApplicationFailure | undefined;
}

const onlyIn = (wanted: Phase, sentence: string): AskedFor => ({
  refusal: (phase) => (phase === wanted ? undefined : `${sentence}: ${phase}`),
});

const INTERVENTIONS: Readonly<Record<string, AskedFor>> = {
  stop: {},
  suspend: {},
  resume: onlyIn('Suspended', 'the job is not suspended'),
  scale: {
    failure: (asked) => {
      const { role, replicas } = asked as ScaleRequest;
      if (role !== 'worker') return refused(`the job has no role ${role}.`);
      return replicas > 0 ? undefined : invalid('spec.Worker.replicas', 'an integer >= 1', String(replicas));
    },
  },
  retryNow: onlyIn('Restarting', 'the job waits for no restart'),
  extendDeadline: {},
  hold: {},
  release: onlyIn('Restarting', 'the job is not held'),
  amendPolicy: {
    failure: (asked) => {
      const { wrong } = (asked as AmendRequest).policy;
      return wrong === undefined
        ? undefined
        : invalid('policy.wrong', 'no such field', JSON.stringify(wrong));
    },
  },
};

function refuse(sentence: string | undefined): void {
  if (sentence !== undefined) throw new Error(sentence);
}

const refused = (sentence: string) => ApplicationFailure.nonRetryable(sentence, 'Refused');

const invalid = (path: string, expected: string, got: string) =>
  ApplicationFailure.nonRetryable('faults', 'InvalidManifest', [{ path, expected, got }]);

/** What was asked stays in the timeline. */
const noted = (status: JobStatus, cause: string): JobStatus => ({
  ...status,
  timeline: [...status.timeline, entryOf(status, cause)],
});

const entryOf = ({ phase, state, attempt }: JobStatus, cause: string) => ({
  at: new Date().toISOString(),
  ...{ phase, state, attempt, cause },
});

/** The timeline as a ledger. */
const entryIn = ({ at, phase, state, attempt, cause }: TimelineEntry, index: number): LedgerEntry => ({
  ...{ seq: index + 1, at, attempt, to: state, phase, message: cause, revision: 1 },
  cause: { type: 'digest' },
});

function entered(status: JobStatus, phase: Phase, { by, why }: Intervention): JobStatus {
  const reason = { Failed: 'PodFailed', Stopped: 'StopRequested' }[phase as string] as
    | 'PodFailed'
    | undefined;
  const entry = entryOf({ ...status, phase, state: phase }, `entered ${phase}`);
  return {
    ...status,
    ...{ phase, state: phase, timeline: [...status.timeline, entry] },
    ...(reason ? { cause: { reason, message: `because of ${reason}`, by, why } } : {}),
    ...(phase === 'Failed' ? { evidence: EVIDENCE } : {}),
    ...(isFinal(phase) ? { completionTime: entry.at } : {}),
  };
}

const aSummary = (pod: string, attempt: number) => ({
  ...{ pod, uid: pod, role: 'worker', index: 0, attempt, takenAt: '2026-11-23T08:00:00Z' },
});

/** The latest first, as the machine records it. */
const EVIDENCE: JobStatus['evidence'] = [
  aSummary('second', 1),
  { ...aSummary('first', 1), node: 'a', exitCode: 137, signal: 9, ref: 'file:///first.json' },
  aSummary('of an earlier attempt', 0),
];
