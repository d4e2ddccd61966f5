import { describe, expect, it } from '@jest/globals';
import { plainInMarkdown } from '../../language/markdown-text.ts';
import { DETAILS_BYTES, SUMMARY_BYTES } from '../../language/shorten.ts';
import { describeJob } from '../../workflows/details.ts';
import { ACTIVITY_SUMMARIES, summarised, timerSummary } from '../../workflows/summaries.ts';
import { aDigest } from '../machines/builders.ts';
import { aManifest, anAdmission } from './admissions.ts';
import { allReady, JobStage } from './job-stage.ts';
import { aStatus } from './some-status.ts';
import { startIdleWorkflow } from './workflow-host.ts';

/** Returns the lines between a heading of the page and the next one. */
function section(page: string, heading: string): string {
  const [, after = ''] = page.split(`### ${heading}\n\n`);
  return after.split('\n\n### ')[0]!;
}

const bytes = (text: string) => Buffer.byteLength(JSON.stringify(text));

describe('the page of a job in the Temporal UI', () => {
  it('says what a job waits for, how many replicas it has, and what was decided last', async () => {
    const stage = await JobStage.admitted();
    await stage.completes('createAttempt', 10);
    await stage.receives(aDigest(11).master({ ready: 1 }).workers({ ready: 1, scheduled: 1 }));
    const { details } = stage.flow;
    const blocks = details.split('\n\n');
    expect(blocks[0]).toBe('## Starting: PyTorchJob `ml/resnet`');
    expect(blocks[1]).toMatch(/^attempt 1, 0 restarts, started 20\S+Z$/);
    expect(blocks[2]).toMatch(
      /^\*\*What it waits for:\*\* `ContainersNotReady`: 3 of 3 pods have a node, 2 are/,
    );
    expect(blocks[3]).toMatch(/^\*\*What helps:\*\* /);
    expect(blocks[3]).toContain(plainInMarkdown((await stage.status()).cause?.remedy ?? 'none'));
    expect(blocks[4]?.split('\n')).toEqual([
      '| Role | Wanted | Ready | Starting | Without a node | Succeeded | Failed |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| Master | 1 | 1 | 0 | 0 | 0 | 0 |',
      '| Worker | 2 | 1 | 1 | 0 | 0 | 0 |',
    ]);
    expect(blocks[5]).toMatch(/^\*\*Decided last:\*\* `Starting.Waiting` at \S+: every pod has a node/);
    expect(section(details, 'Timeline, latest first').split('\n')[0]).toMatch(
      /^- \S+ \*\*Starting.Waiting\*\*: every pod has a node; 2 of 3 are ready$/,
    );
  });

  it('links to the console where admission has its address', async () => {
    const stage = await JobStage.submit(aManifest());
    await stage.admits({ ...anAdmission(), consoleUrl: 'https://console.example' });
    expect(stage.flow.details.split('\n\n')[2]).toBe(
      '[The job in the console](https://console.example/jobs/ml/resnet)',
    );
    expect((await JobStage.admitted()).flow.details).not.toContain('console');
  });

  it('has the commands that the job accepts now', async () => {
    const stage = await JobStage.running();
    const commands = () =>
      section(stage.flow.details, 'What you can do').match(/^(signalbox|temporal) .*$/gm);
    expect(commands()).toEqual([
      'signalbox history resnet -n ml',
      'signalbox stop resnet -n ml',
      'signalbox suspend resnet -n ml',
      'signalbox hold resnet -n ml --for 30m',
      `temporal workflow update execute --workflow-id job/ml/resnet --name stop --input '{"by":"YOU","why":"WHY"}'`,
    ]);
    await stage.flow.asks('suspend', {});
    expect(commands()).toContain('signalbox resume resnet -n ml');
    expect(commands()).not.toContain('signalbox suspend resnet -n ml');
  });

  it('has only what can be read when the job has ended', async () => {
    const stage = await JobStage.submit();
    await stage.flow.asks('stop', { by: 'ana', why: 'wrong data' });
    await stage.flow.activity('admit').confirmsCancellation();
    await stage.flow.activity('admit').fails(new Error('the cluster is away'));
    const { details } = stage.flow;
    expect(details).toContain('## Stopped: PyTorchJob `ml/resnet`');
    expect(details).toContain('**Why it ended:** `StopRequested`: stopped by ana: wrong data');
    expect(section(details, 'What you can do')).toBe('```sh\nsignalbox history resnet -n ml\n```');
  });

  it('is there before the admission, whatever the manifest is', async () => {
    const stage = await JobStage.submit({ kind: '<b>', metadata: { name: 'a`b' } });
    expect(stage.flow.details).toContain("## Pending: \\<b\\> `default/a'b`");
  });

  it('shows user input as text, not as Markdown', async () => {
    const flow = await startIdleWorkflow();
    const cause = { reason: 'Unschedulable', message: '*no* node | `x`\n\n<img src=x>' } as const;
    const page = await flow.runs(() => describeJob({ status: aStatus('Pending', { cause }) }));
    expect(page).toContain('`Unschedulable`: \\*no\\* node \\| \\`x\\` \\<img src=x\\>\n');
  });

  it('is never longer than Temporal accepts', async () => {
    const flow = await startIdleWorkflow();
    const cause = { reason: 'Unschedulable', message: 'ü'.repeat(30_000) } as const;
    const page = await flow.runs(() => describeJob({ status: aStatus('Pending', { cause }) }));
    expect(bytes(page)).toBeLessThanOrEqual(DETAILS_BYTES);
    expect(page.endsWith('…')).toBe(true);
  });
});

describe('the summary of an activity', () => {
  it('says what the activity does', async () => {
    const stage = await JobStage.submit(aManifest());
    expect(stage.flow.activity('admit').summary).toBe(
      'Check the manifest, take the name, create the first pods',
    );
    await stage.admits();
    expect(stage.flow.activity('createAttempt').summary).toBe('Create pods 1 to 3 of attempt 1');
    await stage.completes('createAttempt', 10);
    await stage.receives(allReady(11));
    await stage.flow.signals('suspend');
    expect(stage.recording.summary).toBe('Record in the cluster: Suspended (Suspended)');
  });

  it.each([
    [
      { replace: ['a', 'b', 'c', 'd'].map((pod) => ({ pod, uid: pod })) },
      'Replace a, b, c and 1 more in attempt 2',
    ],
    [{ restartRoles: ['worker'], again: true }, 'Replace all pods of worker in attempt 2, once more'],
    [{}, 'Replace missing pods in attempt 2'],
  ])('names what is replaced: %j', (what, summary) => {
    expect(ACTIVITY_SUMMARIES.restorePods({ attempt: 2, ...what } as never)).toBe(summary);
  });

  it('is never longer than Temporal accepts', () => {
    const summary = summarised('ü'.repeat(500));
    expect(bytes(summary)).toBeLessThanOrEqual(SUMMARY_BYTES);
    expect(summary.length).toBeGreaterThan(190);
    expect(timerSummary('stall')).toBe('stall: a job without progress counts as stalled');
  });
});
