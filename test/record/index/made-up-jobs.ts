import type { ReasonCode } from '../../../contracts/reasons.ts';
import type { FinalPhase } from '../../../contracts/status.ts';
import type { Cause, LedgerCause, LedgerEntry } from '../../../contracts/types.ts';
import { archiveFolder } from '../../../record/archive/archive-keys.ts';
import { indexRowsOf } from '../../../record/index/index-rows.ts';
import type { IndexedJob } from '../../../record/index/indexed-job.ts';
import type { IndexSource } from '../../../record/index/range-parts.ts';

const PEOPLE = ['ana@laptop', 'bob@desk', 'carla@hpc', 'ci'];
const NAMESPACES = ['ml', 'nlp', 'vision'];
const SECOND = 1000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');
/** A job each 240 s: 100,000 of them are nine months. */
const APART = 240 * SECOND;

/** A job of many, its fate by its number: every fifth fails, every seventh waits for hours, every eleventh is stopped. */
export function madeUpJob(number: number): {
  readonly job: IndexedJob & { readonly closed: string };
  readonly ledger: readonly LedgerEntry[];
} {
  const fate = fateOf(number);
  const namespace = NAMESPACES[number % NAMESPACES.length]!;
  const name = `train-${number}`;
  const ledger = ledgerOf(number, fate);
  const submitted = ledger[0]!.at;
  const closed = ledger.at(-1)!.at;
  return {
    ledger,
    job: {
      ...{ namespace, name, kind: 'PyTorchJob', workflowId: `job/${namespace}/${name}` },
      ...{ firstRunId: `run-${number}`, runId: `run-${number}`, temporalNamespace: 'default' },
      submitted: { at: submitted, who: { given: PEOPLE[number % PEOPLE.length]! }, why: `trial ${number}` },
      ...{ closed, archivedAt: new Date(Date.parse(closed) + 5 * SECOND).toISOString() },
      manifest: manifestOf(number),
      status: { phase: fate.phase, attempt: ledger.at(-1)!.attempt },
    },
  };
}

/** The index’s source for so many made-up jobs. */
export const madeUpSource = (size: number, jobOf: typeof madeUpJob = madeUpJob): IndexSource => ({
  size,
  async *rows({ from, to }) {
    for (let leaf = from; leaf < to; leaf++) {
      const { job, ledger } = jobOf(leaf);
      yield indexRowsOf(job, ledger, { place: { folder: archiveFolder(job), leaf } });
    }
  },
});

interface Fate {
  readonly phase: FinalPhase;
  readonly reason?: ReasonCode;
  readonly about: Partial<Cause>;
  readonly restarts: number;
  readonly waitSeconds: number;
}

function fateOf(number: number): Fate {
  const base = { about: {}, restarts: number % 3, waitSeconds: number % 7 ? number % 600 : 7_200 };
  const node = `gpu-${number % 40}`;
  if (number % 11 === 0) return { ...base, phase: 'Stopped', reason: 'StopRequested' };
  if (number % 5 !== 0) return { ...base, phase: 'Completed' };
  const about = { node, pod: `train-${number}-worker-1`, exitCode: 1, rule: 'runPolicy.backoffLimit: 3' };
  return { ...base, phase: 'Failed', reason: number % 2 ? 'NodeLost' : 'BackoffLimitExceeded', about };
}

function ledgerOf(number: number, { phase, reason, about, restarts, waitSeconds }: Fate): LedgerEntry[] {
  let at = FIRST + number * APART;
  let attempt = 1;
  const entries: LedgerEntry[] = [];
  const add = (to: string, cause: LedgerCause, more: Partial<LedgerEntry> = {}, seconds = 1) => {
    const from = entries.at(-1)?.to;
    entries.push({
      ...{ seq: entries.length + 1, at: new Date(at).toISOString(), attempt, to, cause, revision: 1 },
      ...{ phase: to.split('.')[0] as LedgerEntry['phase'], message: `The job is ${to}.` },
      ...(from === undefined ? {} : { from }),
      ...more,
    });
    at += seconds * SECOND;
  };
  const who = { given: PEOPLE[number % PEOPLE.length]!, identity: `${number}@laptop` };
  add('Pending.Creating', { type: 'submitted', who }, { reason: 'CreatingObjects' });
  add('Pending.Scheduling', { type: 'effect', effect: 'createAttempt', ended: 'done', began: 1, ms: 40 });
  for (let round = 0; round <= restarts; round++) {
    const waiting = { reason: 'WaitingForGang', message: '0/40 nodes have room' } as const;
    add('Pending.Scheduling', { type: 'digest' }, waiting, waitSeconds);
    add('Starting', { type: 'digest' }, { reason: 'ContainersNotReady' }, 20);
    add('Running', { type: 'digest' }, {}, 3_600);
    if (round === restarts) break;
    const pods = [{ pod: `train-${number}-worker-1`, node: `gpu-${number % 40}`, exitCode: 137 }];
    const why = { reason: 'RestartingGang', rule: 'restartPolicy: OnFailure', pods } as const;
    add('Restarting.Draining', { type: 'digest' }, { ...why, restarts: round + 1 }, 30);
    attempt += 1;
  }
  const asked = { given: 'bob@desk', authenticated: { type: 'jwt', name: 'bob' } };
  const request = { request: 'stop', through: 'update', who: asked, why: 'not needed' } as const;
  const pods = about.pod ? [{ pod: about.pod, node: about.node, exitCode: about.exitCode }] : undefined;
  const decided = reason && { reason, message: `It ended: ${phase}.`, ...about };
  add('Finishing', phase === 'Stopped' ? { type: 'request', ...request } : { type: 'digest' }, {
    ...{ phase, reason, decided, pods },
  });
  add(phase, { type: 'effect', effect: 'cleanUp', ended: 'done' }, { reason, rule: about.rule });
  return entries;
}

const manifestOf = (number: number) => ({
  kind: 'PyTorchJob',
  spec: {
    pytorchReplicaSpecs: {
      Worker: {
        replicas: 1 + (number % 8),
        template: { spec: { containers: [{ resources: { limits: { 'nvidia.com/gpu': 8 } } }] } },
      },
    },
  },
});
