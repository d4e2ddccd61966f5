import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { eventually } from '../eventually.ts';
import { EventReader } from './event-reader.ts';
import { RUNNING } from './jobs.ts';
import { type OpenedConsole, openConsole } from './opened-console.ts';

let console_: OpenedConsole;
beforeAll(async () => {
  console_ = await openConsole([RUNNING]);
});
afterAll(() => console_.stop());

/** The value of a series, by its name and the beginning of its labels. */
const seriesValue = async (series: string): Promise<number> => {
  const line = (await register.metrics()).split('\n').find((one) => one.startsWith(series));
  return line === undefined ? 0 : Number(line.split(' ').at(-1));
};

it('requests are counted by route and status, whatever their address', async () => {
  const [job, other] = ['/jobs/:namespace/:name",code="200"', 'other",code="404"'].map(
    (labels) => `signalbox_console_requests_total{route="${labels}`,
  );
  const before = [await seriesValue(job!), await seriesValue(other!)];
  await console_.get('/jobs/ml/train');
  await console_.get('/jobs/ml/train?run=');
  await console_.get('/no/such/page');
  expect([await seriesValue(job!), await seriesValue(other!)]).toEqual([before[0]! + 2, before[1]! + 1]);
});

it('refusals are counted by reason', async () => {
  const foreign = 'signalbox_console_refused_total{reason="ForeignPage"}';
  const before = await seriesValue(foreign);
  await console_.post('/jobs/ml/train/do/suspend', { why: 'x' }, { origin: 'https://evil.example' });
  expect(await seriesValue(foreign)).toBe(before + 1);
});

it('open streams and who looks are counted while they are open', async () => {
  const readers = [1, 2].map(() => new EventReader(`${console_.address}/events`));
  await Promise.all(readers.map(({ status }) => status));
  expect([
    await seriesValue('signalbox_console_streams'),
    await seriesValue('signalbox_console_viewers'),
  ]).toEqual([2, 1]);
  for (const reader of readers) reader.close();
  await eventually('they have ended', async () => (await seriesValue('signalbox_console_viewers')) === 0);
  expect(await seriesValue('signalbox_console_streams')).toBe(0);
});

it('answers are timed by server and what was read', async () => {
  await console_.get('/');
  const series = 'signalbox_console_answer_seconds_count{server="temporal",what="list",result="came"}';
  expect(await seriesValue(series)).toBeGreaterThan(0);
});
