import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { REQUESTS } from '../../client/handles/interventions.ts';
import { CONSOLE_SCRIPT } from '../../console/browser/script.ts';
import { UPDATES } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { HOSTILE_JOB } from '../record/report/hostile-job.ts';
import { SAMPLE } from '../record/report/sample-job.ts';
import { EventReader } from './event-reader.ts';
import { RUNNING, WAITING } from './jobs.ts';
import { type OpenedConsole, openConsole } from './opened-console.ts';

const TRAIN = '/jobs/ml/train';
const HOSTILE = `/jobs/${encodeURIComponent(HOSTILE_JOB.status.namespace)}/${encodeURIComponent(HOSTILE_JOB.status.name)}`;

let console_: OpenedConsole;
beforeAll(async () => {
  console_ = await openConsole([RUNNING, WAITING, SAMPLE, HOSTILE_JOB], { temporalUi: 'http://ui.example' });
});
afterAll(() => console_.stop());

describe('the list', () => {
  it('says phase, first reason, progress, GPUs and restarts of each job', async () => {
    const { text } = await console_.get('/');
    for (const words of [
      'href="/jobs/ml/train"',
      'WaitingForGang: 6 of 8 pods have a node',
      'epoch 3',
      '>64</td>',
      '1 restart<',
      'bea@laptop',
    ])
      expect(text).toContain(words);
  });

  it('says of a failed job what its logs say', async () => {
    const place = { workflowId: 'job/ml/crash', runId: '019f8a3c-1b2c-7000', namespace: 'ml', name: 'crash' };
    const end = { phase: 'Failed', reason: 'PodFailed', attempt: 1, errorLine: 'ValueError: <b>' } as const;
    const summary = { ...place, ...end, kind: 'PyTorchJob', startTime: '2026-11-21T12:00:00.000Z' };
    console_.servers.shown = [{ summary }];
    const { text } = await console_.get('/?name=crash');
    console_.servers.shown = undefined;
    expect(text).toContain('<code class="small">ValueError: &lt;b&gt;</code>');
  });

  it('reads all filters of the table from its address', async () => {
    await console_.get(
      '/?namespace=ml&phase=running&reason=NodeLost&kind=pytorchjob&labels=team%3Dnlp&since=2026-11-01&submittedBy=ana',
    );
    expect(console_.servers.listed.at(-1)?.filter).toEqual({
      ...{ namespace: 'ml', phase: ['running'], reason: 'NodeLost', kind: 'pytorchjob', submittedBy: 'ana' },
      ...{ labels: { team: 'nlp' }, since: new Date('2026-11-01') },
    });
  });

  it('refuses a filter that makes no sense, with what was expected', async () => {
    const { status, text } = await console_.get('/?since=yesterday');
    expect({ status, says: text.includes('since: expected a day, a time like') }).toEqual({
      status: 400,
      says: true,
    });
  });

  it('goes on to the next page by what Temporal named', async () => {
    expect((await console_.get('/?phase=Running')).text).toContain('href="/?phase=Running&amp;after=bmV4dA"');
    await console_.get('/?after=bmV4dA');
    expect(console_.servers.listed.at(-1)?.after).toBe('bmV4dA');
  });

  it('keeps what it has, and says as of when, while Temporal is away', async () => {
    const own = await openConsole([RUNNING]);
    await own.get('/');
    own.servers.isAway = true;
    const away = await eventually('it is read again', async () => {
      const page = await own.get('/');
      return page.text.includes('As of') && page;
    });
    expect(away).toMatchObject({ status: 200, text: expect.stringContaining('href="/jobs/ml/train"') });
    // What was never read is not there.
    expect(await own.get('/?namespace=other')).toMatchObject({
      status: 503,
      text: expect.stringContaining('fake:7233'),
    });
    await own.stop();
  });
});

describe('the page of a job', () => {
  it('has all sections of the report, why, what can be asked, and links', async () => {
    const { text } = await console_.get(TRAIN);
    for (const id of ['why', 'timeline', 'failures', 'interventions', 'manifest', 'ledger'])
      expect(text).toContain(`id="${id}"`);
    for (const { command, isFor } of Object.values(REQUESTS))
      expect({ command, isShown: text.includes(`${TRAIN}/do/${command}"`) }).toEqual({
        command,
        isShown: isFor?.('Running') ?? true,
      });
    expect(text).toContain('http://ui.example/namespaces/default/workflows/job%2Fml%2Ftrain/');
  });

  it('an ended job follows nothing and can only be run again', async () => {
    const { text } = await console_.get('/jobs/ml/resnet');
    expect(text).not.toContain('data-stream');
    expect(text.match(/\/do\/[\w-]+/g)).toEqual(['/do/rerun']);
  });

  it('a job that is not there is not found', async () => {
    expect(await console_.get('/jobs/ml/nothing')).toMatchObject({ status: 404 });
  });

  it('hides what looks like a secret in logs', async () => {
    console_.servers.lines = [{ pod: 'train-master-0', text: 'login token=abcdefgh12345' }];
    const { text } = await console_.get(`${TRAIN}/logs`);
    expect(text).toContain('login token=(hidden)');
    console_.servers.lines = [];
  });
});

describe('hostile words', () => {
  test.each(['/', HOSTILE, `${HOSTILE}/do/stop`, `${HOSTILE}/logs`])(
    'leave no place that they stand in: %s',
    async (path) => {
      console_.servers.lines = [
        { pod: '<img src=x onerror=alert(1)>', text: '</pre><script>alert(1)</script>' },
      ];
      const { text, status } = await console_.get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<img|<svg onload|<script>|\u202E|\0/);
      console_.servers.lines = [];
    },
  );

  it('a policy allows the script of the page by its nonce alone', async () => {
    const [one, other] = await Promise.all([console_.get('/'), console_.get('/')]);
    const nonces = [one, other].map(
      ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy')!)![1]!,
    );
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(one.text.match(/<script/g)).toEqual(['<script']);
    expect(one.text).toContain(`nonce="${nonces[0]}"`);
    expect(one.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  });

  it('the script is small', () => {
    expect(gzipSync(CONSOLE_SCRIPT).length).toBeLessThan(20 * 1024);
  });
});

describe('what happens is streamed', () => {
  const entry = (seq: number) => ({ ...RUNNING.entries.at(-1)!, seq, message: `entry ${seq}` });
  const last = RUNNING.entries.at(-1)!.seq;

  it('each entry of the ledger once, and after a cut from the last one that was heard', async () => {
    const own = await openConsole([RUNNING]);
    const first = new EventReader(`${own.address}${TRAIN}/events?after=${last}`);
    await first.status;
    own.servers.goOn(entry(last + 1));
    await eventually('it is heard', () => first.numbers.length > 0);
    first.close();
    own.servers.goOn(entry(last + 2));
    own.servers.goOn(entry(last + 3));
    const again = new EventReader(`${own.address}${TRAIN}/events?after=${last}`, {
      'last-event-id': String(last + 1),
    });
    await eventually('both are heard', () => again.numbers.length >= 2);
    own.servers.goOn(entry(last + 4));
    await eventually('it goes on', () => again.numbers.length >= 3);
    expect([first.numbers, again.numbers]).toEqual([[last + 1], [last + 2, last + 3, last + 4]]);
    again.close();
    await own.stop();
  });

  it('goes on over a restart of the console', async () => {
    const own = await openConsole([RUNNING]);
    own.servers.goOn(entry(last + 1));
    own.servers.goOn(entry(last + 2));
    const reader = new EventReader(`${own.address}${TRAIN}/events`, { 'last-event-id': String(last + 1) });
    await eventually('the rest is heard', () => reader.numbers.length > 0);
    expect(reader.numbers).toEqual([last + 2]);
    reader.close();
    await own.stop();
  });

  it('a list tells that it has changed, and that Temporal is away and back', async () => {
    const own = await openConsole([RUNNING]);
    const reader = new EventReader(`${own.address}/events`);
    await eventually('it begins', () => reader.events.length > 0);
    own.servers.isAway = true;
    await eventually('it says so', () => reader.events.some(({ event }) => event === 'away'));
    own.servers.isAway = false;
    await eventually('it is back', () => reader.events.some(({ event }) => event === 'back'));
    expect(reader.events.filter(({ event }) => event === 'away')).toHaveLength(1);
    reader.close();
    await own.stop();
  });

  it('lines of a log, each once', async () => {
    const own = await openConsole([RUNNING]);
    own.servers.lines = [1, 2, 3].map((number) => ({ pod: 'train-master-0', text: `line ${number}` }));
    const { text } = await own.get(`${TRAIN}/logs`);
    const after = /data-after="([^"]+)"/.exec(text)![1]!;
    const [all, rest] = ['none', after].map(
      (from) => new EventReader(`${own.address}${TRAIN}/logs/events?after=${from}`),
    );
    await eventually('all lines are heard', () => all!.events.length >= 3);
    expect(all!.events.map(({ data }) => data.text)).toEqual(['line 1', 'line 2', 'line 3']);
    expect(rest!.events.filter(({ event }) => event === 'line')).toEqual([]);
    all!.close();
    rest!.close();
    await own.stop();
  });
});

describe('requests to jobs', () => {
  it('there is one for each update that a job takes, but what says all at once', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(
      Object.values(UPDATES)
        .filter((update) => update !== UPDATES.apply)
        .sort(),
    );
  });

  test.each([
    ['suspend', {}, { what: 'suspend', request: {} }],
    ['scale', { role: 'Worker', replicas: '4' }, { what: 'scale', request: { role: 'Worker', replicas: 4 } }],
    ['hold', { seconds: '30m' }, { what: 'hold', request: { seconds: 1_800 } }],
    ['extend-deadline', { seconds: '2h' }, { what: 'extendDeadline', request: { seconds: 7_200 } }],
    [
      'amend',
      { policy: 'progress: {stalledAfter: 20m}' },
      { what: 'amendPolicy', request: { policy: { progress: { stalledAfter: '20m' } } } },
    ],
    ['stop', { confirm: 'train', checkpoint: 'yes' }, { what: 'stop', request: { checkpoint: true } }],
    [
      'rerun',
      { set: 'spec.runPolicy.backoffLimit=4\nlr=0.1' },
      {
        what: 'rerun',
        request: {
          set: [
            { path: 'spec.runPolicy.backoffLimit', value: 4 },
            { path: 'lr', value: '0.1' },
          ],
        },
      },
    ],
  ])('%s is sent with who and why', async (command, fields, { what, request }) => {
    const answer = await console_.post(`${TRAIN}/do/${command}`, { why: 'a test', ...fields });
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({
      status: 303,
      to: expect.stringContaining(`asked=${command}`),
    });
    const heard = console_.servers.heard.at(-1)!;
    expect(heard).toMatchObject({ what, request: { ...request, why: 'a test' } });
    expect(heard.by).toMatch(/@/);
  });

  test.each([
    ['no reason', 'suspend', {}, 'Why: expected a reason, got nothing.'],
    [
      'a wrong duration',
      'hold',
      { why: 'a test', seconds: 'long' },
      'How long: expected a duration like 90s, 30m or 2h, got &quot;long&quot;.',
    ],
    [
      'no confirmation',
      'stop',
      { why: 'a test', confirm: 'resnet' },
      'Expected the name of the job, train, to confirm',
    ],
  ])('%s is refused, and what was written stays', async (_name, command, fields, words) => {
    const before = console_.servers.heard.length;
    const answer = await console_.post(`${TRAIN}/do/${command}`, fields);
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(words) });
    expect(console_.servers.heard).toHaveLength(before);
    for (const value of Object.values(fields))
      if (value === 'a test') expect(answer.text).toContain('value="a test"');
  });

  test.each([
    ['another site', {}, { origin: 'https://evil.example' }],
    ['another site, by what the browser says', {}, { 'sec-fetch-site': 'cross-site' }],
    ['no page', {}, { origin: '' }],
    ['a page without a token', { token: '' }, {}],
    ['a page of another session', { token: 'x'.repeat(43) }, {}],
  ])('a form of %s does nothing', async (_name, fields, headers) => {
    const before = console_.servers.heard.length;
    const answer = await console_.post(`${TRAIN}/do/suspend`, { why: 'a test', ...fields }, headers);
    expect({ status: answer.status, heard: console_.servers.heard.length }).toEqual({
      status: 403,
      heard: before,
    });
  });

  it('a console that only reads has no forms', async () => {
    const own = await openConsole([RUNNING], { isReadOnly: true });
    const [page, form, sent] = await Promise.all([
      own.get(TRAIN),
      own.get(`${TRAIN}/do/stop`),
      own.post(`${TRAIN}/do/stop`, { why: 'a test', confirm: 'train' }),
    ]);
    expect([page.text.includes('/do/'), form.status, sent.status, own.servers.heard]).toEqual([
      false,
      404,
      404,
      [],
    ]);
    await own.stop();
  });
});

describe('submit', () => {
  const MANIFEST = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: new, namespace: ml}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: a}]}}}}}`;

  it('checks a manifest, and says what it would wait for', async () => {
    const { text } = await console_.post('/submit', { manifest: MANIFEST, do: 'check' });
    expect(text).toContain('It is valid.');
    expect(text).toContain('No node has room for &lt;b&gt;all&lt;/b&gt; pods.');
  });

  test.each([
    [
      'a fault, by its path',
      MANIFEST.replace('replicas: 1', 'replicas: -1'),
      'spec.pytorchReplicaSpecs.Worker.replicas: expected',
    ],
    ['no YAML', 'a: [', 'expected YAML or JSON'],
    ['two documents', 'a: 1\n---\nb: 2', 'expected one object'],
  ])('%s is refused', async (_name, manifest, words) => {
    const before = console_.servers.heard.length;
    const answer = await console_.post('/submit', { manifest, do: 'check' });
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(words) });
    expect(console_.servers.heard).toHaveLength(before);
  });

  it('starts it, with who and why', async () => {
    const answer = await console_.post('/submit', { manifest: MANIFEST, do: 'submit', why: 'a test' });
    expect(answer.status).toBe(303);
    expect(console_.servers.heard.at(-1)).toMatchObject({
      what: 'submit',
      by: expect.stringContaining('@'),
      request: { options: { why: 'a test', namespace: 'ml' } },
    });
  });
});

describe('other pages', () => {
  it('compare shows outcome and differences of two jobs', async () => {
    const { status, text } = await console_.get('/compare?a=ml/train&b=ml/resnet');
    expect(status).toBe(200);
    for (const words of ['job/ml/train', 'job/ml/resnet', 'Completed']) expect(text).toContain(words);
    expect(text).toContain('Outcome and times');
    expect(await console_.get('/compare?a=ml/train&b=a%20b')).toMatchObject({ status: 400 });
    expect(await console_.get('/compare?a=ml/train&b=ml/nothing')).toMatchObject({ status: 404 });
  });

  it('team shows the page of a period', async () => {
    const { status, text } = await console_.get('/team/report?namespace=ml&since=30d');
    expect({ status, says: text.includes('3 completed, 1 failed, 0 stopped') }).toEqual({
      status: 200,
      says: true,
    });
    expect(console_.servers.heard.at(-1)).toMatchObject({ what: 'report', request: { namespace: 'ml' } });
  });

  it('waiting says what it cannot read', async () => {
    const { status, text } = await console_.get('/waiting');
    expect({ status, links: text.includes('href="/?phase=Pending"') }).toEqual({ status: 200, links: true });
  });
});

describe('who asks', () => {
  it('a console without identity listens for its machine alone', async () => {
    await expect(openConsole([], { host: '0.0.0.0' })).rejects.toThrow('expected an identity, got none');
    await expect(openConsole([], { identity: 'proxy' })).rejects.toThrow(
      'expected the addresses of the proxies',
    );
  });

  it('a page of another site whose name leads here sees nothing', async () => {
    const reader = new EventReader(`${console_.address}/events`, { host: 'evil.example' });
    expect(await reader.status).toBe(421);
  });

  it('a user that a proxy names is believed only from the address of the proxy', async () => {
    const [far, near] = await Promise.all([
      openConsole([RUNNING], { identity: 'proxy', proxies: ['10.0.0.0/8'] }),
      openConsole([RUNNING], { identity: 'proxy', proxies: ['127.0.0.0/8'] }),
    ]);
    const ana = { 'x-forwarded-user': 'ana' };
    const refused = await far.get('/', ana);
    // Rights are the cluster's: without it, nobody has any.
    const known = await near.get(TRAIN, ana);
    const nobody = await near.get('/');
    expect([refused.status, known.status, nobody.status]).toEqual([401, 503, 401]);
    await Promise.all([far.stop(), near.stop()]);
  });
});
