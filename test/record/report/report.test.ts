import { expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../../record/report/report.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { HOSTILE_JOB } from './hostile-job.ts';
import { SAMPLE } from './sample-job.ts';

const reportText = (data: ReportData) => reportOf(data, plotCharts());
const pageOf = (data: ReportData) => parseHTML(reportText(data)).document;
const sectionOf = (data: ReportData, id: string): string =>
  String(pageOf(data).querySelector(`section[aria-labelledby="${id}"]`)?.textContent).replaceAll(/\s+/g, ' ');

it('a report begins with the job, its outcome, who submitted it and why, and its cost', () => {
  const head = String(pageOf(SAMPLE).querySelector('header')?.textContent).replaceAll(/\s+/g, ' ');
  for (const expected of [
    'PyTorchJob in namespace ml',
    'resnet Completed',
    'resnet-master-0 has succeeded.',
    'by ana@example.com authenticated: jwt, ana claimed',
    'baseline with the cleaned data',
    'job/ml/resnet-small',
    'Took5h12m',
    'Of that, running4h34m 88 %',
    'Attempts3 2 restarts',
    'Failed pods2',
  ])
    expect(head).toContain(expected);
});

it('a report adds up time by phase and cause, and what its GPUs were used for', () => {
  expect(sectionOf(SAMPLE, 'time')).toContain('PendingWaitingForGang');
  const uses = sectionOf(SAMPLE, 'uses');
  for (const expected of [
    'Hours of nvidia.com/gpu',
    'unknown',
    'restarting',
    'together',
    'Goodput',
    'Ran again after',
  ])
    expect(uses).toContain(expected);
  // As its ledger counts pods: it has no sums, as those of earlier versions.
  expect(uses).toContain('are as the pods were counted last');
});

it('a report shows each failure with its evidence', () => {
  const failures = sectionOf(SAMPLE, 'failures');
  for (const expected of [
    'resnet-worker-5: pytorch, exit code 1, Error',
    'CUDA error: an illegal memory access was encountered',
    'GpuUnhealthy=True, Xid79, GPU 3 has fallen off the bus',
    'taint nvidia.com/gpu=broken:NoSchedule',
    'resnet-worker-2: pytorch, exit code 137, signal 9, OOMKilled',
    'the gang restarts and avoids gpu-07',
  ])
    expect(failures).toContain(expected);
});

it('a report shows the causes of waiting, the longest first, with their last details', () => {
  expect(sectionOf(SAMPLE, 'waits')).toMatch(/It waited 6 times.*20m58s.*6 are free: 0\/14 nodes.*4m30s/);
});

it('a report shows who asked for what, and what was refused', () => {
  const asked = sectionOf(SAMPLE, 'interventions');
  expect(asked).toContain('bo claimed');
  expect(asked).toContain('refused a PyTorchJob that is not elastic cannot change its size while it runs');
  expect(asked).toContain('ana@example.com authenticated: jwt');
});

it('a report shows the changes of a revision', () => {
  const document = pageOf(SAMPLE);
  const texts = (tag: string) =>
    [...document.querySelectorAll(tag)].map((one) => String(one.textContent).trim());
  expect(texts('del')).toEqual(['memory: { final: true }']);
  expect(texts('ins')).toEqual(['memory: { budget: 2 }']);
});

it('a report leaves out values that look like secrets', () => {
  const text = reportText(SAMPLE);
  expect(text).toContain('HF_TOKEN');
  expect(text).not.toContain('hf_not-for-everybody');
});

it('a report hides secrets in arguments, messages and log lines', () => {
  const secret = 'postgres://ana:hunter2@db';
  const text = reportText({
    ...SAMPLE,
    status: { ...SAMPLE.status, cause: { reason: 'PodFailed', message: `lost ${secret}` } },
    entries: SAMPLE.entries.map((entry) => ({ ...entry, message: `${entry.message}: ${secret}` })),
    evidence: SAMPLE.evidence.map((record) => ({
      ...record,
      containers: record.containers.map((one) => ({ ...one, log: { lines: [secret], isCut: false } })),
    })),
    manifest: {
      spec: { containers: [{ args: ['--token', 'hunter2', '--api-key=hunter2', '--tokenizer', 'bpe'] }] },
    },
  });
  expect(text).not.toContain('hunter2');
  expect(text).toContain('postgres://ana:(hidden)@db');
  expect(text).toContain('bpe');
});

it('a report has every entry of the ledger in a table, and the digest', () => {
  const document = pageOf(SAMPLE);
  expect(document.querySelectorAll('#entries tbody tr').length).toBe(SAMPLE.entries.length);
  expect(sectionOf(SAMPLE, 'ledger')).toContain(SAMPLE.ledger.hash);
});

it('a report of a running job says so, and that its pods have no record yet', () => {
  const running = {
    ...SAMPLE,
    ...{ closed: undefined, pods: [], asOf: '2026-11-21T11:00:00.000Z' },
    entries: SAMPLE.entries.slice(0, 10),
    status: { ...SAMPLE.status, phase: 'Running', state: 'Running' },
  } as const;
  const text = String(pageOf(running).querySelector('body')?.textContent).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Running as of 2026-11-21 11:00:00 UTC');
  expect(text).toContain('Has taken1h57m');
  expect(text).toContain('until then the chart shows phases from the ledger');
  expect(sectionOf(running, 'attempts')).toContain('not ended');
});

it('a report says which attempts have no record of their pods', () => {
  const partly = { ...SAMPLE, pods: SAMPLE.pods.filter(({ attempt }) => attempt !== 2) };
  expect(sectionOf(partly, 'timeline')).toContain('Attempt 2 has no record of pods');
  expect(reportText(partly)).toContain('>attempt 2</text>');
});

it('a report of a job that was refused at once has its faults', () => {
  const [submitted] = SAMPLE.entries;
  const refused = {
    ...SAMPLE,
    ...{
      entries: [
        submitted!,
        { ...submitted!, seq: 2, to: 'Failed', phase: 'Failed', message: 'no such kind' },
      ],
    },
    ...{ pods: [], evidence: [], revisions: [], manifest: undefined, policy: undefined },
    status: { ...SAMPLE.status, phase: 'Failed', attempt: 0 },
  } as unknown as ReportData;
  expect(sectionOf(refused, 'manifest')).toContain('The manifest could not be read.');
  expect(sectionOf(refused, 'failures')).toContain('No pod failed.');
  expect(sectionOf(refused, 'time')).toBeTruthy();
});

it('a report escapes all texts of a job', () => {
  const document = pageOf(HOSTILE_JOB);
  const count = (selector: string) => document.querySelectorAll(selector).length;
  expect([count('img'), count('script'), count('style'), count('iframe'), count('textarea')]).toEqual([
    0, 1, 1, 0, 0,
  ]);
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name }) => String(name)),
  );
  expect(attributes.filter((name) => name.startsWith('on') || name === 'src' || name === 'style')).toEqual(
    [],
  );
  expect(document.querySelector('title')?.textContent).toContain('<img src=');
  const text = reportText(HOSTILE_JOB);
  expect(['\u202E', '\u0000'].filter((character) => text.includes(character))).toEqual([]);
});

it('a report has only links within its own page', () => {
  const document = pageOf(HOSTILE_JOB);
  const links = [...document.querySelectorAll('a[href]')].map((link) => String(link.getAttribute('href')));
  expect(links.filter((href) => !href.startsWith('#'))).toEqual([]);
  const policy = String(document.querySelector('meta[http-equiv]')?.getAttribute('content'));
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri/,
  );
  expect(policy).not.toContain('unsafe');
});

it('a report links each entry that it names', () => {
  const document = pageOf(SAMPLE);
  const targets = [...document.querySelectorAll('a[href^="#"]')].map((link) =>
    String(link.getAttribute('href')).slice(1),
  );
  expect(targets.filter((id) => !document.getElementById(id))).toEqual([]);
});
