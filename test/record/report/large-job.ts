import type { LedgerEntry, RecordedPod } from '../../../contracts/types.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { SAMPLE } from './sample-job.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const timeAt = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** The same each time, and yet no two pods alike. */
function* numbers(): Generator<number, never> {
  let state = 42;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const PODS = 1_000;
const ENTRIES = 20_000;
const ATTEMPTS = 4;
const ATTEMPT_S = 20_000;

/** A job of 1,000 pods in four attempts, with 20,000 entries in its ledger, and as long a story as it may have. */
export function largeJob(): ReportData {
  const random = numbers();
  const next = () => random.next().value;
  return {
    ...SAMPLE,
    ...{ asOf: timeAt(ATTEMPTS * ATTEMPT_S), closed: undefined },
    submitted: { ...SAMPLE.submitted, at: timeAt(0) },
    status: { ...SAMPLE.status, phase: 'Running', state: 'Running', attempt: ATTEMPTS },
    entries: Array.from({ length: ENTRIES }, (_, index) => entryOf(index, next)),
    ledger: { entries: ENTRIES, hash: SAMPLE.ledger.hash },
    pods: Array.from({ length: ATTEMPTS }, (_, attempt) =>
      Array.from({ length: PODS }, (_, index) => podOf(attempt + 1, index, next)),
    ).flat(),
    evidence: Array.from({ length: 40 }, (_, index) => ({
      ...SAMPLE.evidence[0]!,
      summary: {
        ...{ ...SAMPLE.evidence[0]!.summary, pod: `llm-worker-${index}`, uid: `uid-1-${index}` },
        ...{ exitCode: 1 + (index % 30), index, attempt: 1 },
      },
      containers: [
        {
          ...{ name: 'pytorch', restarts: 0 },
          log: {
            lines: Array.from({ length: 100 }, (_, line) => `[rank${index}] ${line} ${'x'.repeat(600)}`),
            isCut: true,
          },
        },
      ],
    })),
  };
}

function podOf(attempt: number, index: number, next: () => number): RecordedPod {
  const begin = (attempt - 1) * ATTEMPT_S;
  const [scheduled, started] = [begin + 30 + next() * 200, begin + 300 + next() * 400];
  const hasFailed = attempt === 1 && index < 40;
  const endedAt = timeAt(begin + ATTEMPT_S - 60 - next() * (hasFailed ? 900 : 30));
  const exitCode = hasFailed ? 1 + (index % 30) : 143;
  const name = 'llm-worker';
  return {
    ...{ pod: `${name}-${index}`, uid: `uid-${attempt}-${index}`, role: 'worker', index, attempt },
    ...{
      node: `gpu-${index % 250}`,
      phase: hasFailed ? 'Failed' : 'Running',
      createdAt: timeAt(begin + next()),
    },
    ...{
      scheduledAt: timeAt(scheduled),
      startedAt: timeAt(scheduled + 1),
      readyAt: timeAt(started),
      endedAt,
    },
    containers: [{ name: 'pytorch', image: 'registry.example/train:7', restarts: 0, endedAt, exitCode }],
  };
}

function entryOf(index: number, next: () => number): LedgerEntry {
  const seconds = (index * ATTEMPTS * ATTEMPT_S) / ENTRIES;
  const attempt = Math.floor(seconds / ATTEMPT_S) + 1;
  const ready = Math.floor(PODS * next());
  const isWaiting = index % 3 === 0;
  const failed = index % 50 === 7 && attempt === 1 ? Math.floor(next() * 40) : undefined;
  return {
    ...{ seq: index + 1, at: timeAt(seconds), attempt, revision: 1 },
    ...{ from: isWaiting ? 'Running' : 'Starting', to: isWaiting ? 'Starting' : 'Running' },
    ...{ phase: isWaiting ? 'Starting' : 'Running', reason: isWaiting ? 'ContainersNotReady' : undefined },
    cause: index === 0 ? { type: 'submitted', who: { given: 'ana' } } : { type: 'digest' },
    message: `${ready} of ${PODS} pods are ready; llm-worker-${index % PODS} waits: ContainerCreating.`,
    counts: { Worker: { wanted: PODS, scheduled: PODS - ready, ready } },
    ...(failed === undefined ? {} : { pods: [{ pod: `llm-worker-${failed}`, uid: `uid-1-${failed}` }] }),
  };
}
