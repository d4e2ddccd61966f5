import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { stringify } from 'yaml';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ListedNotification } from '../../client/use-cases/notifications/list-notifications.ts';
import type { Engine } from '../../demo/engine.ts';
import { allOf } from '../../language/all-of.ts';
import { installationOf } from '../../temporal/installation.ts';
import { notifierBeat } from '../../temporal/notifier-beat.ts';
import { Alertmanager, hasAlertmanager } from '../alertmanager.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { HttpReceiver, MailReceiver } from './receivers.ts';
import { untilPhase } from './stage.ts';

const KEY = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '3' };
const isPossible = await hasAlertmanager();
if (!isPossible) console.warn('Skipped the alerts in a real Alertmanager: Debian’s package is not here.');

let on: ArchiveStage;
let http: HttpReceiver;
let mail: MailReceiver;
let alertmanager: Alertmanager | undefined;
let folder: string;
let notifier: Engine;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  [on, http, mail] = await Promise.all([openArchiveStage(), HttpReceiver.start(), MailReceiver.start()]);
  alertmanager = isPossible ? await Alertmanager.start() : undefined;
  folder = await mkdtemp(join(tmpdir(), 'signalbox-notify-'));
  settings = {
    ...on.settings,
    SIGNALBOX_NOTIFICATIONS: join(folder, 'routes.yaml'),
    SIGNALBOX_CONSOLE_URL: 'https://console.example',
  };
  await writeFile(join(folder, 'key'), `${KEY}\n`);
  await writeRoutes();
  await on.engine().start(on.settings);
  notifier = on.engine('notifier');
  await notifier.start(settings);
  const installation = await installationOf(on.temporal);
  await eventually('it looks', async () => (await notifierBeat(on.temporal, installation))?.beat?.since);
});
afterAll(async () => {
  await on?.close();
  await Promise.all([http?.close(), mail?.close(), alertmanager?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Each test has jobs of a name of its own, and routes of that name. */
const ROUTES = {
  ends: { to: 'hook', when: { name: 'ends-*', phase: ['Failed', 'Completed', 'Stopped'] } },
  'ends-slack': { to: 'chat', when: { name: 'ends-*', phase: 'Failed' } },
  'ends-teams': { to: 'office', when: { name: 'ends-*', phase: 'Failed' } },
  'ends-mail': { to: 'mail', when: { name: 'ends-*', phase: 'Failed' } },
  waits: { to: 'waits', when: { name: 'waits-*', phase: 'Pending', for: '8s' } },
  many: { to: 'many', when: { name: 'many-*', phase: 'Failed' } },
  alerts: { to: 'alerts', when: { name: 'many-*', phase: 'Failed' } },
  faulty: { to: 'faulty', when: { name: 'faulty-*', phase: 'Completed' } },
  refusing: { to: 'refusing', when: { name: 'faulty-*', phase: 'Completed' } },
  inside: { to: 'inside', when: { name: 'faulty-*', phase: 'Completed' } },
  owned: { to: 'owners', when: { name: 'owned-*', phase: 'Failed' } },
  killed: { to: 'killed', when: { name: 'killed-*', phase: ['Running', 'Completed'] } },
} as const;

const writeRoutes = (change: (text: string) => string = (text) => text): Promise<void> =>
  writeFile(
    settings.SIGNALBOX_NOTIFICATIONS!,
    change(
      stringify({
        receivers: {
          hook: { type: 'webhook', url: http.urlOf('/hook'), secretFile: join(folder, 'key') },
          chat: { type: 'slack', url: http.urlOf('/slack'), text: '{name} is {phase}' },
          office: { type: 'teams', url: http.urlOf('/teams') },
          mail: {
            type: 'email',
            server: mail.address,
            from: 'signalbox@example.com',
            to: ['ana@example.com'],
          },
          owners: {
            type: 'email',
            server: mail.address,
            from: 'signalbox@example.com',
            owners: ['*@example.com'],
          },
          alerts: { type: 'alertmanager', url: alertmanager?.address ?? http.urlOf('/alertmanager') },
          inside: { type: 'webhook', url: http.urlOf('/inside').replace('127.0.0.1', '127.0.0.2') },
          ...Object.fromEntries(
            ['waits', 'many', 'faulty', 'refusing', 'killed'].map((name) => [
              name,
              { type: 'webhook', url: http.urlOf(`/${name}`) },
            ]),
          ),
        },
        routes: ROUTES,
        allow: ['127.0.0.1/32'],
      }),
    ),
  );

const jobOf = (name: string, annotations: Readonly<Record<string, string>>) =>
  simulatedJob({
    ...{ name, namespace: on.stage.namespace, worker: false },
    master: { annotations, restartPolicy: 'Never' },
  });

const submit = (name: string, annotations: Readonly<Record<string, string>> = SUCCEEDS): Promise<JobHandle> =>
  on.client.submit(jobOf(name, annotations));

const told = (filter: object = {}): Promise<ListedNotification[]> => allOf(on.client.notifications(filter));

const dataAt = (path: string) => http.at(path).map(({ body }) => JSON.parse(body) as CloudEvent);

interface CloudEvent {
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  readonly data: { readonly count?: number; readonly message?: string; readonly links?: readonly object[] };
}

describe('a job that failed', () => {
  const name = `ends-${randomUUID().slice(0, 6)}`;
  beforeAll(async () => {
    await (await submit(name, FAILS)).wait();
  });
  const first = (path: string) => eventually(`${path} was told`, () => http.at(path)[0]);

  it('is told to a webhook, by an event that its key has signed', async () => {
    const { headers, body } = await first('/hook');
    const event = new Webhook(KEY).verify(body, headers as Record<string, string>) as CloudEvent;
    expect(event).toMatchObject({
      ...{ type: 'dev.signalbox.job.failed.v1', subject: `${on.stage.namespace}/${name}` },
      data: {
        message: expect.stringContaining('exited with code 3'),
        job: { phase: 'Failed', reason: 'PodFailed', attempt: 1, submittedBy: 'ana' },
        links: [{ title: 'Console', url: `https://console.example/jobs/${on.stage.namespace}/${name}` }],
      },
    });
    expect(headers['webhook-id']).toBe(event.id);
  });

  it('is told to Slack, Teams and by mail', async () => {
    expect(JSON.parse((await first('/slack')).body)).toMatchObject({ text: `${name} is Failed` });
    expect((await first('/teams')).body).toContain(`Failed: ${on.stage.namespace}/${name} (PodFailed)`);
    const [text] = await eventually('the mail came', () => mail.mails.length > 0 && mail.mails);
    expect(text).toContain('To: ana@example.com');
    expect(text).toMatch(/^Message-ID: <[0-9a-f]{32}@example\.com>/im);
    expect(text).toContain('exited with code');
  });

  it('has in its history what was told to whom', async () => {
    const env = { ...settings, HOME: folder };
    const history = await eventually('all is told', async () => {
      const { stdout } = await signalbox(['history', name], { env });
      return stdout.match(/: told \d/g)?.length === 4 && stdout;
    });
    expect(history).toMatch(/TOLD\n/);
    expect(history).toMatch(/Failed \(PodFailed\), to chat \(route ends-slack\): told \d{4}-/);
    const { stdout } = await signalbox(['notify', 'list', name, '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toHaveLength(4);
  });

  it('is told once, and cost the job nothing', async () => {
    expect(http.at('/hook').filter(({ body }) => body.includes(name))).toHaveLength(1);
    const { events } = await on.temporal.workflow
      .getHandle(`job/${on.stage.namespace}/${name}`)
      .fetchHistory();
    const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
    const identities = new Set(tasks.map((event) => event.workflowTaskCompletedEventAttributes?.identity));
    expect(identities.size).toBe(1);
  });
});

it('the owner whom a policy names is told, if the file allows it, and of no other job', async () => {
  const ownedBy = (name: string, owner: string) =>
    on.client.submit(withPolicy(jobOf(name, FAILS), { owner }));
  const jobs = [
    await ownedBy('owned-anas', 'ana.r@example.com'),
    await ownedBy('owned-bos', 'Bo@Example.com'),
    await ownedBy('owned-strangers', 'eve@elsewhere.example'),
    await submit('owned-nobodys', FAILS),
  ];
  await Promise.all(jobs.map((job) => job.wait()));
  const owned = () => mail.mails.filter((text) => text.includes('owned-'));
  const mails = await eventually('both are told', () => owned().length >= 2 && owned());
  expect(mails.map((text) => /^To: (.*)$/im.exec(text)?.[1]).sort()).toEqual([
    'Bo@example.com',
    'ana.r@example.com',
  ]);
  for (const text of mails) expect(text.includes('owned-anas')).toBe(!text.includes('owned-bos'));
  // What came after them is told by now: the routes of one look are told in turn.
  await submit('ends-owned', FAILS).then((job) => job.wait());
  await eventually(
    'a later one is told',
    async () => (await told({ route: 'ends', name: 'ends-owned' }))[0]?.toldAt,
  );
  const all = await told({ route: 'owned' });
  expect(all.map(({ to }) => to).sort()).toEqual(['owners (Bo@Example.com)', 'owners (ana.r@example.com)']);
});

it('a job that waits is told after that time, one that has started before to nobody', async () => {
  const [soon, long] = ['waits-soon', 'waits-long'];
  const held = (name: string) =>
    on.client.submit(
      simulatedJob({ name, namespace: on.stage.namespace, worker: false, gpus: 1_000, master: {} }),
    );
  await Promise.all([submit(soon), held(long)]);
  const [event] = await eventually('it was told', () => dataAt('/waits').length > 0 && dataAt('/waits'));
  expect(event).toMatchObject({ subject: `${on.stage.namespace}/${long}`, data: { forMs: 8_000 } });
  expect(dataAt('/waits')).toHaveLength(1);
});

it('many that fail at once are few messages, each job is told once, and Alertmanager has one group', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `many-${index}`);
  const jobs = await Promise.all(names.map((name) => submit(name, FAILS)));
  await Promise.all(jobs.map((job) => job.wait()));
  await eventually(
    'all are told',
    async () => (await told({ route: 'many' })).filter(isAboutJob).length === names.length,
    {
      withinMs: 180_000,
    },
  );
  const listed = (await told({ route: 'many' })).filter(isAboutJob);
  expect(new Set(listed.map(({ job }) => job?.name)).size).toBe(names.length);
  await eventually('the messages came', () => sum(dataAt('/many')) === names.length);
  expect(dataAt('/many').length).toBeLessThanOrEqual(15);
  if (!alertmanager) return;
  const alerts = alertmanager;
  const groups = await eventually(
    'all alerts are there',
    async () => {
      const found = await alerts.groups();
      return found.flatMap((group) => group.alerts).length === names.length && found;
    },
    { withinMs: 180_000 },
  );
  expect(groups.map(({ labels }) => labels)).toEqual([
    { alertname: 'SignalboxJobFailed', reason: 'PodFailed' },
  ]);
});

const isAboutJob = ({ job }: ListedNotification): boolean => job !== undefined;
const sum = (events: readonly CloudEvent[]): number =>
  events.reduce((total, { data }) => total + (data.count ?? 1), 0);

describe('a receiver that does not work', () => {
  it('is told later with the same id, and holds nothing up', async () => {
    http.answer('/faulty', { status: 429, headers: { 'retry-after': '2' } });
    http.answer('/refusing', { status: 410 });
    await (await submit('faulty-one')).wait();
    await eventually('it was tried', () => http.at('/faulty').length > 1);
    http.answer('/faulty', { status: 302, headers: { location: http.urlOf('/elsewhere') } });
    await eventually('it was tried again', () => http.at('/faulty').length > 2);
    const [trying] = await told({ route: 'faulty', undelivered: true });
    expect(trying).toMatchObject({
      state: 'trying',
      why: expect.stringMatching(/redirects \(302\)|answered 429/),
    });
    http.answer('/faulty', { status: 204 });
    const [done] = await eventually('it was told', async () => {
      const found = await told({ route: 'faulty' });
      return found[0]?.state === 'told' && found;
    });
    expect(done?.toldAt).toBeDefined();
    expect(new Set(dataAt('/faulty').map(({ id }) => id)).size).toBe(1);
    expect(http.at('/elsewhere')).toEqual([]);
  });

  it('is not asked again if it refuses the message', async () => {
    const [refused] = await eventually('it was refused', async () => {
      const found = await told({ route: 'refusing' });
      return found[0]?.state === 'refused' && found;
    });
    expect(refused?.why).toContain('answered 410');
    expect(http.at('/refusing')).toHaveLength(1);
  });

  it('is not reached at an address that the file does not allow', async () => {
    const [inside] = await eventually('it was tried', async () => {
      const found = await told({ route: 'inside' });
      return found[0]?.why === undefined ? undefined : found;
    });
    expect(inside?.why).toContain('127.0.0.2 is no public address');
    expect(http.at('/inside')).toEqual([]);
  });
});

it('a notifier that is killed again and again tells each thing once', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `killed-${index}`);
  for (const [index, name] of names.entries()) {
    await submit(name, {});
    if (index % 2 === 0) await notifier.kill();
    await untilPhase(await on.client.find({ name }), 'Running');
    await on.stage.endPod(`${name}-master-0`, { exitCode: 0 });
    if (!notifier.isRunning) await notifier.start(settings);
  }
  const wanted = names.flatMap((name) => [`${name} Running`, `${name} Completed`]).sort();
  const said = async () =>
    (await told({ route: 'killed' }))
      .filter(isAboutJob)
      .map(({ job, says }) => `${job?.name} ${says}`)
      .sort();
  await eventually('all is told', async () => (await said()).length >= wanted.length);
  expect(await said()).toEqual(wanted);
});

it('a file with faults changes nothing, and it is said', async () => {
  const metric = async () =>
    (await (await fetch(`${notifier.address}/metrics`)).text()).match(
      /^signalbox_notifier_routes_faulty (\d)/m,
    )?.[1];
  await writeRoutes((text) => text.replace('phase: Failed', 'phase: Fialed'));
  await eventually('the metric says so', async () => (await metric()) === '1');
  await eventually('doctor says so, by the next heartbeat', async () =>
    (await signalbox(['doctor'], { env: { ...settings, HOME: folder } })).stdout.includes(
      'did you mean Failed?',
    ),
  );
  const before = http.at('/hook').length;
  await (await submit('ends-still')).wait();
  await eventually('it was told', () => http.at('/hook').length > before);
  await writeRoutes();
  await eventually('the metric says so', async () => (await metric()) === '0');
});

it('secrets are in no history, and in no memo', async () => {
  const texts: string[] = [];
  for await (const { workflowId, runId } of on.temporal.workflow.list({
    query: "WorkflowType = 'notification'",
  }))
    texts.push(JSON.stringify(await on.temporal.workflow.getHandle(workflowId, runId).fetchHistory()));
  expect(texts.length).toBeGreaterThan(10);
  const hidden = [KEY, folder, http.urlOf('')].flatMap((one) => [one, Buffer.from(one).toString('base64')]);
  expect(hidden.filter((one) => texts.some((text) => text.includes(one)))).toEqual([]);
});
