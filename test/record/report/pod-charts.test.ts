import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import type { LedgerEntry, RecordedPod } from '../../../contracts/types.ts';
import { podLivesOf } from '../../../record/facts/pod-lives.ts';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { COUNTED, countsOfPods } from '../../../record/report/facts/counts.ts';
import { reportOf } from '../../../record/report/report.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { SAMPLE } from './sample-job.ts';

const START = Date.parse('2026-11-21T09:00:00.900Z');
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
/** As Kubernetes writes times: without their milliseconds. */
const second = (seconds: number) => `${at(seconds).slice(0, 19)}Z`;

const entry = (seq: number, seconds: number, more: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ seq, at: at(seconds), attempt: 1, to: 'Running', phase: 'Running', revision: 1 },
  ...{ cause: { type: 'digest' }, message: 'the pod is ready' },
  ...more,
});

const POD = { pod: 'train-master-0', uid: 'u', role: 'master' } as const;

const podOf = (more: Partial<RecordedPod>, container: Partial<RecordedPod['containers'][number]> = {}) => ({
  ...{ ...POD, index: 0, attempt: 1, node: 'local', phase: 'Succeeded' },
  ...{ createdAt: second(0), scheduledAt: second(0), startedAt: second(0) },
  ...more,
  containers: [{ name: 'pytorch', image: 'train:1', restarts: 0, startedAt: second(0), ...container }],
});

const reportData = (
  entries: readonly LedgerEntry[],
  pods: readonly RecordedPod[],
  lasted: number,
): ReportData => ({
  ...SAMPLE,
  ...{ submitted: { ...SAMPLE.submitted, at: at(0) }, closed: { at: at(lasted), how: 'Completed' } },
  ...{ entries, pods, evidence: [], revisions: [] },
});

const pageOf = (data: ReportData) => parseHTML(reportOf(data, plotCharts())).document;
const textOf = (data: ReportData, selector: string) =>
  String(pageOf(data).querySelector(selector)?.textContent).replaceAll(/\s+/g, ' ');

describe('the chart of a job that took seconds', () => {
  const ended = entry(3, 3, { to: 'Completed', phase: 'Completed', message: 'done' });
  const data = reportData(
    [entry(1, 0, { to: 'Pending.Creating', phase: 'Pending' }), entry(2, 0.4, {}), ended],
    [podOf({ endedAt: second(3) }, { endedAt: second(3), exitCode: 0 })],
    3,
  );

  it('has no bar left of its start, where the names are', () => {
    const [gantt] = pageOf(data).querySelectorAll('.wide svg');
    const rects = [...gantt!.querySelectorAll('rect')];
    const lefts = rects.map((rect) => Number(rect.getAttribute('x')));
    const job = rects.find((rect) => rect.getAttribute('fill') === 'var(--pending)');
    expect(Math.min(...lefts)).toBe(Number(job?.getAttribute('x')));
  });

  it('has no layer over the axis of counts', () => {
    const layers = [...pageOf(data).querySelectorAll('.wide svg')][1]!;
    const areas = [...layers.querySelectorAll('path[fill]')].map((path) => String(path.getAttribute('d')));
    const lefts = areas.flatMap((d) => [...d.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x)));
    expect(Math.min(...lefts)).toBe(60);
  });
});

describe('the time of a chart', () => {
  it.each([1, 2, 3, 5, 9, 40])('has no label twice, however short the job (%i s)', (lasted) => {
    const entries = [
      entry(1, 0, { to: 'Pending.Creating', phase: 'Pending' }),
      entry(2, 0.4, {}),
      entry(3, lasted, { to: 'Completed', phase: 'Completed', message: 'done' }),
    ];
    const pods = [podOf({ endedAt: second(lasted) }, { endedAt: second(lasted), exitCode: 0 })];
    for (const svg of pageOf(reportData(entries, pods, lasted)).querySelectorAll('svg')) {
      const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => String(textContent));
      const labels = texts.flatMap((text) => /\d\d:\d\d:\d\d$/.exec(text) ?? []);
      expect(labels).toEqual([...new Set(labels)]);
    }
  });
});

describe('two attempts that meet within a second', () => {
  const gang = (attempt: number, uid: string, index: number, more: Partial<RecordedPod>): RecordedPod =>
    podOf({ ...{ attempt, uid, index, pod: `train-worker-${index}`, role: 'worker' }, ...more });
  const entries = [
    entry(1, 0, { to: 'Pending.Creating', phase: 'Pending' }),
    entry(2, 1, {}),
    entry(3, 10.05, { attempt: 2, to: 'Pending.Creating', phase: 'Pending' }),
    entry(4, 20, { attempt: 2, to: 'Completed', phase: 'Completed', message: 'done' }),
  ];
  const pods = [0, 1].flatMap((index) => [
    // Its end is the beginning of the next attempt, as the job's clock has it.
    gang(1, `old-${index}`, index, { phase: 'Running' }),
    gang(2, `new-${index}`, index, {
      ...{ createdAt: second(10), scheduledAt: second(10), startedAt: second(10), endedAt: second(20) },
    }),
  ]);

  it('are not counted together', () => {
    const counts = countsOfPods(podLivesOf(pods, entries, Date.parse(at(20))));
    const most = Math.max(
      ...counts.map((point) => COUNTED.reduce((sum, state) => sum + point.counts[state], 0)),
    );
    expect(most).toBe(2);
  });
});

describe('the chart of a pod that its kubelet restarts in place', () => {
  const crash = (seq: number, seconds: number, times: string) =>
    entry(seq, seconds, {
      message: `the pod is ready; train-master-0: container pytorch exited with code 1, restarted in place ${times}`,
      pods: [{ ...POD, container: 'pytorch', exitCode: 1 }],
    });
  const entries = [
    entry(1, 0, { to: 'Pending.Creating', phase: 'Pending' }),
    entry(2, 1, {}),
    crash(3, 60, 'once'),
    crash(4, 100, '2 times'),
    entry(5, 900, { to: 'Completed', phase: 'Completed', message: 'done' }),
  ];
  const pod = podOf(
    { endedAt: second(900) },
    { restarts: 3, startedAt: second(600), endedAt: second(900), exitCode: 0 },
  );
  const stretchesOf = (pods: readonly RecordedPod[], of = entries) =>
    podLivesOf(pods, of, Date.parse(at(900))).flatMap(({ stretches }) =>
      stretches.map(({ state, from, to }) => [state, Math.round((to - from) / 1_000)]),
    );

  it('has marks for the restarts, and no bar as running between them', () => {
    const page = pageOf(reportData(entries, [pod], 900));
    const titles = [...page.querySelectorAll('.wide svg title')].map(({ textContent }) =>
      String(textContent),
    );
    expect(titles.filter((title) => /: container pytorch/.test(title))).toEqual([
      expect.stringMatching(/^09:01:00 UTC: .* restarted in place once$/),
      expect.stringMatching(/^09:01:40 UTC: .* restarted in place 2 times$/),
      '09:10:00 UTC: train-master-0: container pytorch began its last run, after 3 restarts in place',
    ]);
    expect(stretchesOf([pod])).toEqual([
      ['running', 61],
      ['restarting', 539],
      ['running', 300],
    ]);
  });

  it('does not show it as failed, and neither does the report', () => {
    const data = reportData(entries, [pod], 900);
    expect(textOf(data, 'header')).toContain('Failed pods0');
    expect(textOf(data, 'section[aria-labelledby="failures"]')).toContain(
      'No pod failed. Containers of 1 pod failed and were restarted in place.',
    );
    expect(textOf(data, 'section[aria-labelledby="timeline"]')).not.toContain('pod failed');
  });

  it('shows it as running between two distant restarts, if all are known', () => {
    const twice = podOf(
      { endedAt: second(900) },
      { restarts: 2, startedAt: second(800), endedAt: second(900) },
    );
    expect(stretchesOf([twice], [crash(1, 60, 'once'), crash(2, 800, '2 times')])).toEqual([
      ['running', 900],
    ]);
  });

  it('shows it as waiting for its restart until it is deleted', () => {
    const waiting = podOf(
      { phase: 'Running', deletedAt: second(900) },
      { restarts: 1, startedAt: second(60), endedAt: second(62), reason: 'CrashLoopBackOff' },
    );
    expect(stretchesOf([waiting], [crash(1, 60, 'once')])).toEqual([
      ['running', 62],
      ['restarting', 838],
    ]);
  });

  it('shows it as failed if the job then fails because of it', () => {
    const failed = entry(6, 899, {
      ...{ to: 'Finishing.CleaningUp', phase: 'Failed', reason: 'BackoffLimitExceeded' },
      pods: [{ ...POD, container: 'pytorch', exitCode: 1 }],
    });
    const lives = podLivesOf([pod], [...entries.slice(0, 4), failed], Date.parse(at(900)));
    expect(lives.map(({ ended }) => ended)).toEqual(['failed']);
  });
});
