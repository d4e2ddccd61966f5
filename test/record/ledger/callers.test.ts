import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { stateIdOf } from '../../../contracts/job-resources.ts';
import type { LedgerCause } from '../../../contracts/types.ts';
import type { RunEvent } from '../../../temporal/run-chain.ts';
import { entriesOf, recorded, signalled, submitted, updated, whoIn } from './events.ts';
import { withCallers } from './with-callers.ts';

const HISTORIES = join(import.meta.dirname, '..', '..', 'replay', 'histories');
const historyOf = (name: string) =>
  historyFromJSON(JSON.parse(readFileSync(join(HISTORIES, `${name}.json`), 'utf8')));

/** Who asked, by entry, after the events of these runs. */
const callersOf = (runs: readonly (readonly RunEvent[])[], ...causes: LedgerCause[]) =>
  withCallers(
    entriesOf(...causes),
    runs.map((events) => ({ events: [...events] })),
  ).map(whoIn);

const ana = { identity: '1@laptop', subject: 'ana' };
const ben = { identity: '2@desk', subject: 'ben' };
const stop = { id: 'u-1', name: 'stop', argument: { by: 'ana', why: 'wrong data' } };
const asked = { id: 'u-1', request: 'stop', argument: { by: 'ana', why: 'wrong data' } };

const NAMES = { ana: { type: 'jwt', name: 'ana' }, ben: { type: 'jwt', name: 'ben' } };

describe('the writer of a custom resource', () => {
  const resource = { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u', generation: 2 };
  const edit = { id: stateIdOf(resource), name: 'apply', argument: { resource, by: 'Kubernetes' } };
  const bridge = { identity: 'bridge', subject: 'the-bridge' };

  it('is who asked, in the place of the bridge', () => {
    const events = [
      recorded.started(bridge),
      ...recorded.ran(5, 'admit', { result: { anchorUid: 'a', requester: 'ana' } }),
      recorded.accepted(edit, bridge),
      ...recorded.ran(9, 'revise', { request: { name: 'n', resource }, result: { requester: 'ben' } }),
    ];
    expect(callersOf([events], submitted(), updated('apply', edit.id))).toEqual([
      { identity: 'bridge', authenticated: { type: 'Kubernetes', name: 'ana' } },
      { identity: 'bridge', authenticated: { type: 'Kubernetes', name: 'ben' } },
    ]);
  });

  it('is the one of each edit, also of two that ask for the same', () => {
    const edits = ['ben', 'ana'].map((by, n) => ({ by, edit: { ...edit, id: `${edit.id}/${n}` } }));
    const events = edits.flatMap(({ by, edit: asked }, n) => [
      recorded.accepted(asked, bridge),
      ...recorded.ran(9 + 3 * n, 'revise', { request: { name: 'n', resource }, result: { requester: by } }),
    ]);
    const causes = edits.map(({ edit: asked }) => updated('apply', asked.id));
    expect(callersOf([events], ...causes).map((who) => who?.authenticated?.name)).toEqual(['ben', 'ana']);
  });

  it('is unknown where no activity has read it', () => {
    const other = { ...resource, generation: 3 };
    const events = [
      recorded.started(bridge),
      ...recorded.ran(5, 'admit', { result: { anchorUid: 'a' } }),
      recorded.accepted(edit, bridge),
      ...recorded.ran(9, 'revise', { request: { resource: other }, result: { requester: 'ben' } }),
      ...recorded.ran(12, 'expire', { result: { requester: 'ben' } }),
    ];
    expect(callersOf([events], submitted(), updated('apply', edit.id))).toEqual([
      { identity: 'bridge', authenticated: { type: 'jwt', name: 'the-bridge' } },
      { identity: 'bridge' },
    ]);
  });
});

describe('the caller of a request', () => {
  it('is read from the start event, as given and as authenticated', () => {
    expect(callersOf([[recorded.started(ana)]], submitted({ given: 'ana@laptop' }))).toEqual([
      { given: 'ana@laptop', identity: '1@laptop', authenticated: NAMES.ana },
    ]);
  });

  it('is not authenticated where the server knows no principals', () => {
    const events = [recorded.started({ identity: '1@laptop' })];
    expect(callersOf([events], submitted({ given: 'ana' }))).toEqual([
      { given: 'ana', identity: '1@laptop' },
    ]);
  });

  it('is not the worker that started a later run', () => {
    const runs = [[recorded.started(ana)], [recorded.started({ subject: 'the-worker' }, 'run-1')]];
    expect(callersOf(runs, submitted())[0]).toEqual({ identity: '1@laptop', authenticated: NAMES.ana });
  });

  it('is unknown if the first run is gone', () => {
    const runs = [[recorded.started({ subject: 'the-worker' }, 'run-1')]];
    expect(callersOf(runs, submitted({ given: 'ana' }))).toEqual([{ given: 'ana' }]);
  });

  it('is read from the event of each signal: the nth of a name is the nth entry', () => {
    const events = [
      recorded.signalled('suspend', { by: 'ana' }, ana),
      recorded.signalled('digest', { resourceVersions: { pods: 1 } }, { subject: 'the-watcher' }),
      recorded.signalled('resume', {}, ana),
      recorded.signalled('suspend', {}, ben),
    ];
    const causes = [signalled('suspend', { given: 'ana' }), signalled('resume'), signalled('suspend')];
    expect(callersOf([events], ...causes).map((who) => who?.authenticated?.name)).toEqual([
      'ana',
      'ana',
      'ben',
    ]);
  });

  it('skips signals that a lost run never processed', () => {
    const events = [
      recorded.signalled('stop', { by: 'ben', why: 'too early' }, ben),
      recorded.signalled('stop', { by: 'ana', why: 'wrong data' }, ana),
    ];
    const [who] = callersOf([events], signalled('stop', { given: 'ana' }, 'wrong data'));
    expect(who).toEqual({ given: 'ana', identity: '1@laptop', authenticated: NAMES.ana });
  });

  it('is known for a signal whose text the job has shortened', () => {
    const why = `because ${'x'.repeat(2_000)}`;
    const [who] = callersOf([[recorded.signalled('stop', { why }, ana)]], signalled('stop', {}, 'because…'));
    expect(who?.authenticated).toEqual(NAMES.ana);
  });

  it('is unknown for a signal that is in none of the histories', () => {
    expect(callersOf([[]], signalled('stop', { given: 'ana' }))).toEqual([{ given: 'ana' }]);
  });

  it('is read from the events of a cancellation and of a termination', () => {
    const causes: LedgerCause[] = [
      { type: 'request', request: 'cancel', through: 'cancellation', who: {} },
      { type: 'closed', how: 'terminated', who: {}, why: 'enough' },
    ];
    expect(callersOf([[recorded.cancelled(ana), recorded.terminated(ben)]], ...causes)).toEqual([
      { identity: '1@laptop', authenticated: NAMES.ana },
      { identity: '2@desk', authenticated: NAMES.ben },
    ]);
  });

  it('is not looked up for entries without a request', () => {
    expect(withCallers(entriesOf({ type: 'digest' }), [{ events: [recorded.started(ana)] }])).toEqual(
      entriesOf({ type: 'digest' }),
    );
  });
});

describe('the caller of an update', () => {
  const given = { given: 'ana' };
  const claimed = { given: 'ana', identity: '1@laptop' };
  const whoOf = (...events: RunEvent[]) => callersOf([events], updated('stop', 'u-1', given))[0];

  it('is only claimed: the principal of its event is the worker', () => {
    expect(whoOf(recorded.accepted(stop, ana))).toEqual(claimed);
  });

  it('is authenticated by the signal that announced it', () => {
    expect(whoOf(recorded.signalled('asked', asked, ana), recorded.accepted(stop, ana))).toEqual({
      ...claimed,
      authenticated: NAMES.ana,
    });
  });

  it('is authenticated by a signal in the run before', () => {
    const runs = [[recorded.signalled('asked', asked, ana)], [recorded.accepted(stop, ana)]];
    expect(callersOf(runs, updated('stop', 'u-1'))[0]?.authenticated).toEqual(NAMES.ana);
  });

  it('is the first one who announced it, whoever repeats that', () => {
    const events = [recorded.signalled('asked', asked, ana), recorded.signalled('asked', asked, ben)];
    expect(whoOf(...events, recorded.accepted(stop, ana))?.authenticated).toEqual(NAMES.ana);
  });

  it.each([
    ['another update', { ...asked, request: 'suspend' }],
    ['other words', { ...asked, argument: { by: 'ana', why: 'no reason' } }],
    ['another id', { ...asked, id: 'u-2' }],
    ['nothing', null],
    ['no id', { request: 'stop' }],
    ['a text', 'u-1'],
  ])('is not authenticated by a signal about %s', (_, announcement) => {
    expect(whoOf(recorded.signalled('asked', announcement, ana), recorded.accepted(stop, ana))).toEqual(
      claimed,
    );
  });

  it('is not authenticated by a much earlier signal, which others could read and misuse', () => {
    const at = (event: RunEvent, seconds: number): RunEvent => ({
      ...event,
      eventTime: { seconds } as never,
    });
    const announcement = at(recorded.signalled('asked', asked, ana), 1_000);
    const accepted = recorded.accepted(stop, ana);
    expect(whoOf(announcement, at(accepted, 1_120))?.authenticated).toEqual(NAMES.ana);
    expect(whoOf(announcement, at(accepted, 1_121))).toEqual(claimed);
  });

  it('is not authenticated by a signal that came later', () => {
    expect(whoOf(recorded.accepted(stop, ana), recorded.signalled('asked', asked, ben))).toEqual(claimed);
  });

  it('is only claimed if the announcement was not authenticated', () => {
    const events = [
      recorded.signalled('asked', asked, { identity: '1@laptop' }),
      recorded.accepted(stop, ana),
    ];
    expect(whoOf(...events)).toEqual(claimed);
  });
});

describe('the caller in recorded histories', () => {
  const joined = (name: string, ...causes: LedgerCause[]) =>
    withCallers(entriesOf(...causes), [historyOf(name)]).map(whoIn);
  const recorder = { given: 'ana', identity: 'recorder' };

  it('is known for the submission and the stop', () => {
    const update = updated('stop', '45211e60-543f-4c9e-a8ee-e9c6db993be2', { given: 'ana' });
    expect(joined('stopped', submitted({ given: 'a test' }), update)).toEqual([
      { given: 'a test', identity: 'recorder' },
      recorder,
    ]);
  });

  it('is known for each signal', () => {
    const causes = [
      ...[signalled('resume', { given: 'ana' }), signalled('suspend', { given: 'ana' }, 'recorded')],
      ...[signalled('suspend'), signalled('resume'), signalled('resume')],
      signalled('stop', { given: 'ana' }, 'recorded'),
    ];
    expect(joined('signalled', ...causes).map((who) => who?.identity)).toEqual(causes.map(() => 'recorder'));
  });

  it('is known for the cancellation', () => {
    const cause: LedgerCause = { type: 'request', request: 'cancel', through: 'cancellation', who: {} };
    expect(joined('cancelled', cause)).toEqual([{ identity: 'recorder' }]);
  });
});
