import { describe, expect, it } from '@jest/globals';
import { listTop, TopFacts } from '../../../cli/top/read-top.ts';
import { keyOf, type TopJob } from '../../../cli/top/top-job.ts';
import { readTypedFilter } from '../../../cli/top/typed-filter.ts';
import { job } from './top-states.ts';

function aClient(jobs: readonly TopJob[]) {
  const asked: string[] = [];
  const answer =
    <T>(what: string, value: T) =>
    (some: readonly { readonly name: string }[]) => {
      asked.push(`${what} ${some.map(({ name }) => name).join(' ')}`);
      return Promise.resolve(new Map(jobs.map(({ workflowId }) => [workflowId, value])));
    };
  return {
    asked,
    async *list({ limit = 0 }) {
      yield* jobs.slice(0, limit);
    },
    count: () => Promise.resolve({ Running: 7 } as never),
    details: answer('details', { gpus: 8 }),
    logSigns: answer('signs', {}),
    job: ({ workflowId = '' }) => ({
      status: () => {
        asked.push(`status ${workflowId}`);
        return Promise.resolve({ cause: { reason: 'NeverFits', message: 'too large' } });
      },
    }),
  };
}

const factsOf = (client: ReturnType<typeof aClient>, now: () => number = () => 0) =>
  new TopFacts(client as unknown as ConstructorParameters<typeof TopFacts>[0], now);

const keys = (...jobs: readonly TopJob[]) => new Set(jobs.map(keyOf));

describe('what is listed', () => {
  it('is counted, by the server where the list is cut', async () => {
    const client = aClient([job('a'), job('b', { phase: 'Failed' })]);
    expect((await listTop(client as never, {}, 2)).counts).toEqual({ Running: 1, Failed: 1 });
    expect(await listTop(client as never, {}, 1)).toMatchObject({
      jobs: [{ name: 'a' }],
      counts: { Running: 7 },
    });
  });
});

describe('what the cluster tells', () => {
  const [running, pending, ended] = [job('r'), job('p', { phase: 'Pending' }), job('e', { phase: 'Failed' })];

  it('is asked about live jobs, and ended ones and logs that are seen', async () => {
    const client = aClient([running, pending, ended]);
    const facts = factsOf(client, () => 0);
    await facts.refresh([running, pending, ended], keys(running));
    expect(client.asked).toEqual(['details r p', 'signs r']);
    await facts.refresh([running, pending, ended], keys(running, ended));
    expect(client.asked.slice(2)).toEqual(['details e']);
    expect(facts.with([running, ended])).toMatchObject([
      { details: { gpus: 8 }, signs: {} },
      { details: { gpus: 8 } },
    ]);
  });

  it('is asked again when the job has changed, or some time has passed', async () => {
    let now = 0;
    const client = aClient([running, pending]);
    const facts = factsOf(client, () => now);
    await facts.refresh([running, pending], keys());
    await facts.refresh([running, { ...pending, reason: 'NeverFits' }], keys());
    now = 19_000;
    await facts.refresh([running, pending], keys(pending));
    now = 20_000;
    await facts.refresh([running, pending], keys());
    expect(client.asked.filter((one) => one.startsWith('details'))).toEqual([
      'details r p',
      'details p',
      'details p',
      'details r',
    ]);
  });

  it('has words of a worker for what the jobs that are seen wait for', async () => {
    const client = aClient([running, pending, ended]);
    const facts = factsOf(client);
    await facts.refresh([running, pending, ended], keys(running, pending, ended));
    await facts.refresh([running, pending, ended], keys(running, pending, ended));
    expect(client.asked.filter((one) => one.startsWith('status'))).toEqual(['status job/ml/p']);
    expect(facts.with([pending])).toMatchObject([{ cause: { message: 'too large' } }]);
    expect(facts.with([{ ...pending, phase: 'Running' }])[0]).not.toHaveProperty('cause');
  });

  it('is about the newest job of a name', async () => {
    const before = job('r', { runId: 'earlier', startTime: '2026-11-01T00:00:00Z', phase: 'Failed' });
    const client = aClient([running, before]);
    const facts = factsOf(client, () => 0);
    await facts.refresh([running, before], keys(running, before));
    expect(facts.with([before])).toEqual([before]);
  });
});

describe('a typed filter', () => {
  it('has options of list, and words', async () => {
    expect(await readTypedFilter('train --phase failed,pending -l team=nlp  2026')).toEqual({
      filter: { phase: ['Failed', 'Pending'], labels: { team: 'nlp' } },
      words: ['train', '2026'],
    });
    expect(await readTypedFilter('')).toEqual({ filter: {}, words: [] });
  });

  it.each([
    ['--phase hungry', /Pending, Starting/],
    ['--fase failed', /unknown option '--fase'/],
    ['--kind Pod', /--kind: expected one of/],
    ['--since', /argument missing/],
  ])('%s is refused with what is wrong', async (text, why) => {
    await expect(readTypedFilter(text)).rejects.toThrow(why);
  });
});
