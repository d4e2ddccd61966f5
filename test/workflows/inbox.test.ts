import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestCause } from '../../contracts/ledger.ts';
import type { JobStatus } from '../../contracts/types.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { type Inbox, openInbox } from '../../workflows/inbox.ts';
import { INTERVENTIONS } from '../../workflows/interventions.ts';
import { aDigest } from '../machines/builders.ts';
import { aStatus } from './some-status.ts';
import { startIdleWorkflow, type WorkflowHost } from './workflow-host.ts';
import { cancellation, signal } from './workflow-messages.ts';

let flow: WorkflowHost;
let inbox: Inbox;
let status: JobStatus;
let refusals: string[];

const host = {
  view: () => ({ status }),
  ledger: { refused: ({ request }: RequestCause, why: string) => void refusals.push(`${request}: ${why}`) },
};

const digest = (resourceVersion: number) => aDigest(resourceVersion).build();
const timer = (name: string): JobEvent => ({ type: 'deadline', name, at: 2 });
/** Types of all events; for digests their resource version. */
const received = () =>
  inbox.takeAll().map((event) => (event.type === 'digest' ? event.digest.resourceVersions.pods : event.type));

beforeEach(async () => {
  status = aStatus('Running');
  refusals = [];
  flow = await startIdleWorkflow();
  inbox = await flow.runs(() => openInbox(host));
});

describe('digests', () => {
  it('are queued with their time of arrival', async () => {
    await flow.passes(5_000);
    await flow.signals('digest', digest(5));
    expect(inbox.take()).toEqual({ type: 'digest', digest: digest(5), at: flow.now });
  });

  it('collapse to the newest', async () => {
    await flow.receives(
      signal('digest', digest(5)),
      signal('digest', digest(7)),
      signal('digest', digest(6)),
    );
    expect(received()).toEqual([7]);
  });

  it('precede a timer that fired after the first of them', async () => {
    await flow.signals('digest', digest(5));
    await flow.runs(() => inbox.push(timer('stall')));
    await flow.signals('digest', digest(7));
    expect(received()).toEqual([7, 'deadline']);
  });

  it('follow a timer that fired before them', async () => {
    await flow.runs(() => inbox.push(timer('stall')));
    await flow.signals('digest', digest(5));
    expect(received()).toEqual(['deadline', 5]);
  });

  const malformed = [
    undefined,
    null,
    7,
    'digest',
    [],
    {},
    { resourceVersions: null },
    { resourceVersions: { pods: '5' } },
  ];

  it.each(malformed)('are ignored if malformed: %j', async (value) => {
    await flow.signals('digest', value);
    expect(inbox.isEmpty()).toBe(true);
  });
});

describe('an intervention', () => {
  it('is queued, and answered with the phase of the job', async () => {
    const answer = await flow.asks('suspend', { by: 'ana', why: 'nodes are needed' });
    expect(answer).toEqual({ isAccepted: true, result: { phase: 'Running' } });
    const who = { by: 'ana', why: 'nodes are needed' };
    const cause = { reason: 'Suspended', message: 'suspended by ana: nodes are needed', ...who };
    const asked = { type: 'request', request: 'suspend', through: 'update', id: 'suspend-0' };
    const request = { ...asked, who: { given: 'ana' }, why: 'nodes are needed' };
    expect(inbox.takeAll()).toEqual([{ type: 'suspend', cause, request, at: flow.now }]);
  });

  it('may have no argument, as sent by Temporal’s own tools', async () => {
    expect((await flow.asks('stop')).isAccepted).toBe(true);
    expect((await flow.asks('suspend', null)).isAccepted).toBe(true);
    expect(received()).toEqual(['stop', 'suspend']);
  });

  it('is refused with a reason if the job cannot do it', async () => {
    const { isAccepted, refusal } = await flow.asks('resume', {});
    const why = 'the job is not suspended: Running';
    expect([isAccepted, refusal?.message, refusals]).toEqual([true, why, [`resume: ${why}`]]);
    expect(inbox.isEmpty()).toBe(true);
  });

  it('leaves no trace if its input is invalid', async () => {
    const { isAccepted, refusal } = await flow.asks('stop', { checkpoint: 'yes' });
    expect([isAccepted, refusals]).toEqual([false, []]);
    expect(refusal?.message).toBe('checkpoint: expected true or false, got "yes"');
  });

  it.each(INTERVENTIONS.map(({ update }) => update))('is refused after the end: %s', async (update) => {
    status = aStatus('Completed');
    const { isAccepted, refusal } = await flow.asks(update, { seconds: 1 });
    const why = 'the job has already ended: Completed';
    expect([isAccepted, refusal?.message, refusals]).toEqual([true, why, [`${update}: ${why}`]]);
    expect(inbox.isEmpty()).toBe(true);
  });
});

describe('the status query', () => {
  it('returns the present status', async () => {
    expect(await flow.query('status')).toEqual(aStatus('Running'));
    status = aStatus('Restarting');
    expect(await flow.query('status')).toEqual(aStatus('Restarting'));
  });
});

describe('the inbox notices', () => {
  it('a stop', async () => {
    expect(inbox.queuedStop()).toBeUndefined();
    await flow.asks('stop', {});
    expect(inbox.queuedStop()?.cause.reason).toBe('StopRequested');
    expect(inbox.isCancelled()).toBe(false);
  });

  it('a cancellation of the workflow, which becomes a stop', async () => {
    await flow.passes(3_000);
    await flow.receives(cancellation());
    expect(inbox.queuedStop()?.cause.reason).toBe('Cancelled');
    expect(inbox.isCancelled()).toBe(true);
    const cause = { reason: 'Cancelled', message: 'the workflow was cancelled' };
    const request = { type: 'request', request: 'cancel', through: 'cancellation', who: {} };
    expect(inbox.takeAll()).toEqual([{ type: 'stop', cause, request, at: flow.now }]);
  });
});

describe('a new run', () => {
  it('starts with the events of the one before', async () => {
    const next = await startIdleWorkflow();
    inbox = await next.runs(() => openInbox(host, [timer('stall')]));
    await next.signals('digest', digest(5));
    expect(received()).toEqual(['deadline', 5]);
  });
});
