import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { parse } from 'yaml';
import { type RecordedSource, recordedSource } from '../../../record/compare/recorded-source.ts';
import { decodePayloads, loadedConverter } from '../../../temporal/payloads.ts';
import { bundleWorkflows } from '../../../worker/bundle.ts';
import { switchPolicy } from '../../../worker/replay/policy-switch.ts';
import { type ReplayedJob, replayJobs } from '../../../worker/replay/replay-jobs.ts';
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
  const workflowBundle = await bundleWorkflows();
  for await (const job of replayJobs(jobs, { workflowBundle })) replayed.set(job.workflowId, job);
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

describe('the policy that a job had', () => {
  it('would have decided the same everywhere', () => {
    // Jobs whose policy was amended had two of them.
    const jobs = admitted().filter((name) => !sources.get(name)!.revisions.some(({ policy }) => policy));
    expect(jobs.length).toBeGreaterThan(20);
    for (const name of jobs) {
      const { steps } = replayed.get(name)!;
      const heard = steps.filter(({ type }) => type !== 'resume').length;
      const found = whatIf(steps, switchPolicy(sources.get(name)!, ownPolicy(name)));
      expect({ name, ...found }).toEqual({ name, followed: heard, later: [] });
    }
  });
});

describe('another policy', () => {
  it('ends a job that was restarted, and says by which rule', () => {
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

  it('ends a job in the same way for another reason, and the world stays known', () => {
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

  it('does not let its longer timer fire with the recorded one', () => {
    const { first } = imagine('node-lost', { nodes: { lostAfter: '1h' } });
    expect(first).toMatchObject({
      event: 'deadline nodeLost',
      was: { does: 'takes evidence first' },
      would: { does: 'goes on as before', state: 'Running' },
    });
  });

  it('tells of later moments what it would have decided there, each alone', () => {
    const { first, unknown, later } = imagine('climbed', {
      failures: { classes: { userCode: { budget: 0 } } },
    });
    expect(first).toBeUndefined();
    expect(unknown?.why).toContain('kubelets restart their containers');
    expect(later.length).toBeGreaterThan(1);
    for (const { would } of later) expect(would.does).toBe('ends as Failed');
  });

  it('is not followed into what nobody recorded: a pattern that nobody searched for', () => {
    const { first, unknown } = imagine('restarted', {
      failures: { rules: [{ class: 'infrastructure', pattern: 'NCCL' }] },
    });
    expect(first).toBeUndefined();
    expect(unknown).toEqual({
      at: expect.any(String),
      why: 'nobody searched the logs of the failed pods for the pattern "NCCL"',
    });
  });

  it('is not followed either where a program would have got another signal', () => {
    const { unknown } = imagine('restarted', { checkpoint: { signal: 'SIGUSR1' } });
    expect(unknown?.why).toBe('the deleted pods would have received SIGUSR1 instead of SIGTERM');
  });

  it('that does not fit a job is refused with its faults', () => {
    const policy = { failures: { rules: [{ class: 'userCode', exitCodes: [1], roles: ['nobody'] }] } };
    expect(() => imagine('restarted', policy)).toThrow(/^the policy does not fit the job: .*roles/);
  });
});
