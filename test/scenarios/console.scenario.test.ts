import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { RunningConsole } from '../../console/console.ts';
import { type KubeObject, NAMESPACES, type Resource, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import { EventReader } from '../console/event-reader.ts';
import { eventually } from '../eventually.ts';
import { createToken } from '../service-account.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { startStageConsole } from './stage-console.ts';

/** The console over real servers: what people see, that it is live, what they ask, and what they may. */

let stage: Stage;
let open: RunningConsole;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  open = await startStageConsole(stage);
});
afterAll(async () => {
  await open?.stop();
  await stage?.close();
});

interface Loaded {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly cookie: string | undefined;
}

async function load(url: string, init: RequestInit = {}): Promise<Loaded> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  return {
    status: answer.status,
    text: await answer.text(),
    location: answer.headers.get('location'),
    cookie,
  };
}

const page = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  load(open.address + path, { headers });

/** As a person does: loads the form, fills it in, sends it. */
async function send(
  path: string,
  fields: Readonly<Record<string, string>>,
  { at = open.address, headers = {} }: { at?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Loaded> {
  const form = await load(at + path, { headers });
  const token = /name="token" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
  const body = new URLSearchParams({ token, ...fields });
  return load(at + path, {
    method: 'POST',
    body,
    headers: { ...headers, cookie: form.cookie ?? '', origin: at },
  });
}

const named = (what: string) => `${what}-${randomUUID().slice(0, 6)}`;
const pathOf = (name: string, namespace = stage.namespace) => `/jobs/${namespace}/${name}`;

const submit = (name: string, namespace = stage.namespace): Promise<JobHandle> =>
  stage.client.submit(simulatedJob({ name, namespace, worker: false, gpus: 2 }), { why: 'a test' });

async function running(name: string): Promise<JobHandle> {
  const job = await submit(name);
  await untilPhase(job, 'Running');
  return job;
}

describe('a job', () => {
  const name = named('seen');
  let job: JobHandle;
  beforeAll(async () => {
    job = await running(name);
  });

  it('is in the list, with phase, GPUs and who submitted it, and is counted', async () => {
    const listed = await eventually('it is listed', async () => {
      const { text } = await page(`/?namespace=${stage.namespace}&name=${name}`);
      return text.includes('>Running</span>') && text.includes('data-is="GPUs">2<') && text;
    });
    expect(listed).toContain(`href="${pathOf(name)}"`);
    expect(listed).toMatch(/Running <b>1<\/b>/);
    expect(listed).toContain('a test');
  });

  it('has a page with its report, its history and what can be asked of it', async () => {
    const { status, text } = await page(pathOf(name));
    expect(status).toBe(200);
    for (const words of [
      'The job runs.',
      'id="timeline"',
      'id="ledger"',
      'id="manifest"',
      `${pathOf(name)}/do/suspend`,
    ])
      expect(text).toContain(words);
  });

  it('follows what happens, with the person and the reason in the ledger, over a restart of the console', async () => {
    const before = await job.history();
    const last = before.at(-1)!.seq;
    const first = new EventReader(`${open.address}${pathOf(name)}/events?after=${last}`);
    await first.status;
    const answer = await send(`${pathOf(name)}/do/suspend`, { why: 'the nodes are needed' });
    expect(answer).toMatchObject({ status: 303, location: `${pathOf(name)}?asked=suspend` });
    await eventually('the page hears of it', () =>
      first.events.some(({ data }) => data.phase === 'Suspended'),
    );
    const heard = first.numbers.at(-1)!;
    const port = Number(new URL(open.address).port);
    await open.stop();
    expect(first.isClosed).toBe(true);
    await job.resume({ by: 'ana', why: 'they are back' });
    open = await startStageConsole(stage, { console: { port } });
    const again = new EventReader(`${open.address}${pathOf(name)}/events`, {
      'last-event-id': String(heard),
    });
    await untilPhase(job, 'Running');
    const entries = await job.history();
    const wanted = entries.map(({ seq }) => seq).filter((seq) => seq > last);
    await eventually(
      'all entries are heard',
      () => first.numbers.length + again.numbers.length >= wanted.length,
    );
    expect([...first.numbers, ...again.numbers].slice(0, wanted.length)).toEqual(wanted);
    again.close();
    const asked = entries.find(({ cause }) => cause.type === 'request' && cause.request === 'suspend')!.cause;
    expect(asked).toMatchObject({
      why: 'the nodes are needed',
      who: { given: expect.stringContaining('@') },
    });
    expect((await page(pathOf(name))).text).toContain('the nodes are needed');
  });

  it('refuses what its state does not allow, in its own words', async () => {
    const answer = await send(`${pathOf(name)}/do/resume`, { why: 'a test' });
    expect(answer).toMatchObject({
      status: 409,
      text: expect.stringContaining('The job refuses: the job is not suspended'),
    });
  });

  it('a transition is told within two seconds', async () => {
    const reader = new EventReader(`${open.address}${pathOf(name)}/events`);
    await reader.status;
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    await eventually('it has ended', () => reader.events.some(({ event }) => event === 'over'));
    const told = Date.now();
    const end = (await job.history()).find(({ phase }) => phase === 'Completed')!;
    expect(told - Date.parse(end.at)).toBeLessThan(10_000);
    reader.close();
  });
});

describe('a manifest', () => {
  it('is refused with all faults, then checked, then submitted by who asked', async () => {
    const name = named('pasted');
    const manifest = simulatedJob({ name, namespace: stage.namespace, worker: false });
    const text = stringify(manifest);
    const faulty = await send('/submit', {
      manifest: text.replace('replicas: 1', 'replicas: -1'),
      do: 'submit',
      why: 'a test',
    });
    expect(faulty).toMatchObject({
      status: 422,
      text: expect.stringContaining('pytorchReplicaSpecs.Master.replicas'),
    });
    expect((await send('/submit', { manifest: text, do: 'check' })).text).toContain('It is valid.');
    expect(await send('/submit', { manifest: text, do: 'submit', why: 'a test' })).toMatchObject({
      status: 303,
      location: pathOf(name),
    });
    const job = await stage.client.find({ name });
    expect(await job.summary()).toMatchObject({ why: 'a test', submittedBy: expect.stringContaining('@') });
    await untilPhase(job, 'Running');
    const stopped = await send(`${pathOf(name)}/do/stop`, { why: 'it was a test', confirm: name });
    expect(stopped.status).toBe(303);
    expect((await job.wait()).phase).toBe('Stopped');
    expect((await page(pathOf(name))).text).toContain('it was a test');
  });
});

const ROLES: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};
const BINDINGS: Resource = { ...ROLES, kind: 'RoleBinding', plural: 'rolebindings' };

describe('two people and two namespaces', () => {
  const other = named('other');
  const [mine, theirs] = [named('mine'), named('theirs')];
  let guarded: RunningConsole;
  let ana: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const { cluster, namespace } = stage;
    await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } });
    await Promise.all([submit(mine), submit(theirs, other)]);
    const object = (kind: string, more: object, apiVersion = ROLES.apiVersion) =>
      ({ apiVersion, kind, metadata: { name: 'ana', namespace }, ...more }) as KubeObject;
    await cluster.create(SERVICE_ACCOUNTS, object('ServiceAccount', {}, 'v1'));
    await cluster.create(
      ROLES,
      object('Role', {
        rules: [
          { apiGroups: ['signalbox.dev'], resources: ['jobs', 'jobs/log'], verbs: ['get', 'list'] },
          { apiGroups: ['signalbox.dev'], resources: ['jobs/suspend'], verbs: ['create'] },
        ],
      }),
    );
    await cluster.create(
      BINDINGS,
      object('RoleBinding', {
        subjects: [{ kind: 'ServiceAccount', name: 'ana', namespace }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ana' },
      }),
    );
    ana = { authorization: `Bearer ${await createToken(cluster, { namespace, name: 'ana' })}` };
    guarded = await startStageConsole(stage, { console: { identity: 'kubernetes' } });
  });
  afterAll(async () => {
    await guarded?.stop();
    await stage.cluster.delete(NAMESPACES, undefined, other);
  });

  const asAna = (path: string) => load(guarded.address + path, { headers: ana });

  it('who is not known sees nothing', async () => {
    for (const path of ['/', pathOf(mine), '/events', `${pathOf(mine)}/logs`])
      expect({ path, status: (await load(guarded.address + path)).status }).toEqual({ path, status: 401 });
    const wrong = await load(guarded.address, { headers: { authorization: 'Bearer nonsense' } });
    expect(wrong.status).toBe(401);
  });

  it('jobs of others are in no list, count, page, stream or log', async () => {
    const list = await eventually('the own job is listed', async () => {
      const { text } = await asAna('/');
      return text.includes(mine) && text;
    });
    expect(list).not.toContain(theirs);
    expect((await asAna(`/?name=${theirs}`)).text).toContain('No job matches.');
    expect((await asAna(`/?name=${theirs}`)).text).not.toMatch(/<b>1<\/b>/);
    const foreign = pathOf(theirs, other);
    for (const path of ['', '/events', '/logs', '/logs/events', '/report', '/do/stop'])
      expect({ path, status: (await asAna(foreign + path)).status }).toEqual({ path, status: 403 });
    expect((await asAna(pathOf(theirs))).status).toBe(404);
  });

  it('what somebody may not ask is neither offered nor done; what is done has the name', async () => {
    const { text } = await asAna(pathOf(mine));
    expect(text.match(/\/do\/[\w-]+/g)).toEqual(['/do/suspend']);
    const options = { at: guarded.address, headers: ana };
    const stop = await send(`${pathOf(mine)}/do/stop`, { why: 'no', confirm: mine }, options);
    expect(stop.status).toBe(403);
    const job = await stage.client.find({ name: mine });
    await untilPhase(job, 'Running');
    const suspend = await send(`${pathOf(mine)}/do/suspend`, { why: 'a test' }, options);
    expect(suspend.status).toBe(303);
    const asked = await eventually('it is recorded', async () =>
      (await job.history()).find(({ cause }) => cause.type === 'request'),
    );
    expect(asked.cause).toMatchObject({ who: { given: `system:serviceaccount:${stage.namespace}:ana` } });
    expect(
      (
        await send(
          '/submit',
          { manifest: stringify(simulatedJob({ name: 'x', namespace: stage.namespace })), do: 'check' },
          options,
        )
      ).status,
    ).toBe(403);
  });

  it('a stream ends with the rights of who looks', async () => {
    const reader = new EventReader(`${guarded.address}${pathOf(mine)}/events`, ana);
    expect(await reader.status).toBe(200);
    await stage.cluster.delete(BINDINGS, stage.namespace, 'ana');
    await eventually('it has ended', () => reader.isClosed);
    expect(reader.events.at(-1)?.event).toBe('reload');
  });
});
