import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { parse } from 'yaml';
import type { SavedJob } from '../../../machines/step.ts';
import { type RecordedSource, recordedSource } from '../../../record/compare/recorded-source.ts';
import { decodePayloads, loadedConverter } from '../../../temporal/payloads.ts';
import { switchPolicy } from '../../../worker/replay/policy-switch.ts';
import { replayJobs } from '../../../worker/replay/replay-jobs.ts';
import type { ReplayedJob } from '../../../worker/replay/replayer.ts';
import { whatIf } from '../../../worker/replay/what-if.ts';

/** What another policy would have decided in the recorded jobs of test/replay. */

const FOLDER = join(import.meta.dirname, '..', '..', 'replay', 'histories');
const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const historyOf = (name: string) =>
  historyFromJSON(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));

const sources = new Map<string, RecordedSource>();
const replayed = new Map<string, ReplayedJob>();

beforeAll(async () => {
  const converter = loadedConverter(undefined);
  const jobs = names.map((name) => ({ workflowId: name, runs: [historyOf(name)] }));
  for (const { workflowId, runs } of jobs) {
    sources.set(workflowId, await recordedSource(runs, (payloads) => decodePayloads(converter, payloads)));
  }
  for await (const job of replayJobs(jobs)) replayed.set(job.workflowId, job);
});

const imagine = (name: string, policy: object) =>
  whatIf(replayed.get(name)!.steps, switchPolicy(sources.get(name)!, JSON.stringify(policy)));

const admitted = () => names.filter((name) => sources.get(name)!.settings);

/** As the manifest of the recorded job has it, with the last amendment. */
function ownPolicy(name: string): string {
  const { manifest, revisions } = sources.get(name)!;
  const { annotations = {} } = (manifest as { metadata: { annotations?: Record<string, string> } }).metadata;
  return revisions.at(-1)?.policy ?? annotations['signalbox.dev/policy'] ?? '{}';
}

describe('the original policy of a job', () => {
  it('makes the same decisions everywhere', () => {
    // Jobs whose policy was amended had two of them.
    const jobs = admitted().filter((name) => !sources.get(name)!.revisions.some(({ policy }) => policy));
    expect(jobs.length).toBeGreaterThan(20);
    for (const name of jobs) {
      const { steps } = replayed.get(name)!;
      const received = steps.filter(({ type }) => type !== 'resume').length;
      const { from: _, ...found } = whatIf(steps, switchPolicy(sources.get(name)!, ownPolicy(name)));
      expect({ name, ...found }).toEqual({ name, followed: received, later: [] });
    }
  });
});

describe('another policy', () => {
  it('ends a job that was restarted, by a named rule', () => {
    const { followed, first } = imagine('restarted', { failures: { classes: { userCode: { budget: 0 } } } });
    expect(followed).toBe(4);
    expect(first).toMatchObject({
      event: 'effectDone capture',
      was: { does: 'restarts pods' },
      would: {
        does: 'ends as Failed',
        reason: 'FailureBudgetExceeded',
        rule: 'signalbox.dev/policy failures.classes.userCode.budget: 0',
      },
    });
  });

  it('ends a job in the same way for another reason, and its replay continues', () => {
    const { first, otherReason, later } = imagine('failed', {
      failures: { classes: { userCode: { final: true } } },
    });
    expect({ first, later }).toEqual({ first: undefined, later: [] });
    expect(otherReason).toMatchObject({
      was: { does: 'ends as Failed', rule: 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never' },
      would: { does: 'ends as Failed', rule: 'signalbox.dev/policy failures.classes.userCode.final: true' },
    });
  });

  it('restarts more than the failed pods', () => {
    const ladder = [{ scope: 'container' }, { scope: 'gang' }];
    const { first } = imagine('restarted', { restart: { ladder } });
    expect(first).toMatchObject({ was: { does: 'restarts pods' }, would: { does: 'restarts the gang' } });
  });

  it('waits longer: the same restart comes later', () => {
    const backOff = { firstAtOnce: false, initial: '1h' };
    const { first } = imagine('restarted', { restart: { backOff } });
    expect(first).toMatchObject({
      was: { does: 'restarts pods' },
      would: { does: 'waits before it restarts', state: 'Restarting.BackingOff' },
    });
    const { until } = first!.would;
    expect(Date.parse(until!) - Date.parse(first!.at)).toBeGreaterThan(3_000_000);
  });

  it('lets a timer of its own fire, though the recording has none', () => {
    const own = parse(ownPolicy('never-placed')) as { failures: { classes: { startUp: object } } };
    own.failures.classes.startUp = { ...own.failures.classes.startUp, after: '1s' };
    const { first } = imagine('never-placed', own);
    expect(first).toMatchObject({
      event: 'deadline startUp',
      was: { does: 'goes on as before', state: 'Pending.Scheduling' },
      would: { does: 'takes evidence first', state: 'Restarting.Capturing' },
    });
    expect(first!.at < first!.was.until!).toBe(true);
  });

  it('does not fire its longer timer with the recorded one', () => {
    const { first } = imagine('node-lost', { nodes: { lostAfter: '1h' } });
    expect(first).toMatchObject({
      event: 'deadline nodeLost',
      was: { does: 'takes evidence first' },
      would: { does: 'goes on as before', state: 'Running' },
    });
  });

  it('has a decision for each later moment', () => {
    const { first, unknown, later } = imagine('climbed', {
      failures: { classes: { userCode: { budget: 0 } } },
    });
    expect(first).toBeUndefined();
    expect(unknown?.why).toContain('kubelets restart their containers');
    expect(later.length).toBeGreaterThan(1);
    for (const { would } of later) expect(would.does).toBe('ends as Failed');
  });

  it('is not followed where its result was not recorded: a pattern that was not searched for', () => {
    const { first, unknown } = imagine('restarted', {
      failures: { rules: [{ class: 'infrastructure', pattern: 'NCCL' }] },
    });
    expect(first).toBeUndefined();
    expect(unknown).toEqual({
      at: expect.any(String),
      why: 'the logs of the failed pods were not searched for the pattern "NCCL"',
    });
  });

  it('is not followed where a program would have received another signal', () => {
    const { unknown } = imagine('restarted', { checkpoint: { signal: 'SIGUSR1' } });
    expect(unknown?.why).toBe('the deleted pods would have received SIGUSR1 instead of SIGTERM');
  });

  it('that does not fit a job is refused with its faults', () => {
    const policy = { failures: { rules: [{ class: 'userCode', exitCodes: [1], roles: ['nobody'] }] } };
    expect(() => imagine('restarted', policy)).toThrow(/^the policy does not fit the job: .*roles/);
  });
});

describe('a job whose workflow continued in new runs', () => {
  /** Two runs that followed each other: the second one takes up a restart of the gang that the first one began. */
  const CHAIN = ['interrupted', 'taken-up'] as const;
  const steps = (...runs: readonly string[]) => runs.flatMap((name) => replayed.get(name)!.steps);
  const stepsOf = (name: string) => replayed.get(name)!.steps.filter(({ type }) => type !== 'resume').length;
  const ownRules = () => parse(ownPolicy('interrupted')) as object;
  const imagineRuns = (policy: object, ...runs: readonly string[]) =>
    whatIf(
      steps(...runs),
      switchPolicy(sources.get(runs[0]!)!, JSON.stringify({ ...ownRules(), ...policy })),
    );

  it('is compared from its beginning, through all of them', () => {
    const [one, other] = CHAIN;
    expect(imagineRuns({}, ...CHAIN)).toEqual({ followed: stepsOf(one) + stepsOf(other), later: [] });
  });

  it('begins where its record begins, and says with which attempt', () => {
    const { from, followed, first } = imagineRuns(budgetOf(1), 'taken-up');
    expect(from).toEqual({ at: expect.any(String), attempt: 1, restarts: 1 });
    expect(followed).toBe(stepsOf('taken-up'));
    expect(first).toBeUndefined();
  });

  it('reads earlier evidence by the patterns that were searched for, not by their order', () => {
    const rule = (pattern: string) => ({ class: 'infrastructure', pattern });
    const withRules = (...rules: readonly object[]) =>
      switchPolicy(sources.get('taken-up')!, JSON.stringify({ ...ownRules(), failures: { rules } }));
    const [resumed] = steps('taken-up');
    if (resumed?.type !== 'resume') throw new Error('expected a run that continues another one');
    const own = withRules(rule('NCCL')).saved(resumed.saved as unknown as SavedJob);
    const context = { ...own.context, captured: { u1: [0], u2: [] } };
    const other = withRules({ class: 'userCode', exitCodes: [1] }, rule('NCCL'));
    expect(other.saved({ ...own, context }).context.captured).toEqual({ u1: [1], u2: [] });
    expect(other.unsearched(context)).toBeUndefined();
    expect(withRules(rule('CUDA')).unsearched(context)).toContain('for the pattern "CUDA"');
  });

  it('is not compared where existing pods would have been created differently', () => {
    const ladder = [{ scope: 'container' }, { scope: 'gang' }];
    const { from, unknown } = imagineRuns({ restart: { ladder } }, 'taken-up');
    expect(unknown).toEqual({ at: from!.at, why: expect.stringContaining('kubelets restart') });
  });
});

const budgetOf = (budget: number) => ({ failures: { classes: { userCode: { budget } } } });
