import { describe, expect, it } from '@jest/globals';
import { entryText, remedyText } from '../../../cli/print/ledger-text.ts';
import type { LedgerEntry } from '../../../contracts/types.ts';

const anEntry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ seq: 7, at: '2026-11-23T18:00:00.123Z', attempt: 2, from: 'Pending.Scheduling', to: 'Running' },
  ...{ phase: 'Running', cause: { type: 'digest' }, message: 'all 3 pods are ready', revision: 1 },
  ...more,
});

/** The second line. */
const detailsOf = (more: Partial<LedgerEntry>) => entryText(anEntry(more)).split('\n')[1]?.trim();

describe('an entry of a ledger as text', () => {
  it('is a line: time, duration, attempt, state, message', () => {
    expect(entryText(anEntry(), { stay: '3m20s' })).toBe(
      '2026-11-23T18:00:00Z  3m20s     2        Running                 all 3 pods are ready',
    );
  });

  it.each(['', '3m20s', '1111d18h'])('begins its attempt in one column after %j', (stay) => {
    expect(entryText(anEntry(), { stay }).indexOf(' 2  ')).toBe(31);
  });

  it('keeps a gap where a value is longer than its column', () => {
    const text = entryText(anEntry({ attempt: 123_456_789 }), { stay: '1000000d23h' });
    expect(text).toMatch(/ 1000000d23h {2}123456789 {2}Running /);
  });

  it('has further lines of a message below the first one', () => {
    const message = 'first\n2026-11-23T18:00:00Z  Completed';
    expect(entryText(anEntry({ message }))).toMatch(/first\n {24}2026/);
  });

  it('does not repeat an unchanged state', () => {
    const text = entryText(anEntry({ from: 'Running', message: 'worker 3 is late' }));
    expect(text).not.toContain('Running');
    expect(text.indexOf('worker 3')).toBe(entryText(anEntry()).indexOf('all 3'));
  });

  it('names the timer or the failed effect if the message does not', () => {
    const timer = { type: 'timer', timer: 'gangTimeout' } as const;
    expect(entryText(anEntry({ cause: timer }))).toContain('timer gangTimeout: all 3');
    const effect = { type: 'effect', effect: 'createAttempt', ended: 'failed' } as const;
    expect(entryText(anEntry({ cause: effect }))).toContain('createAttempt failed: all 3');
    const message = 'createAttempt failed: no quota';
    expect(entryText(anEntry({ cause: effect, message }))).toContain(` ${message}`);
    expect(entryText(anEntry({ cause: { ...effect, ended: 'done' } }))).not.toContain('createAttempt');
  });

  it('does not repeat the message of the entry before it', () => {
    const pods = [{ pod: 'train-worker-3' }];
    const entry = anEntry({ reason: 'NodeLost', pods, evidence: ['file:///a'] });
    expect(entryText(entry, { before: entry })).not.toContain('\n');
    expect(entryText(entry, { before: anEntry({ reason: 'PodFailed' }) })).toContain(
      'reason NodeLost; pod train',
    );
  });

  it('does not repeat a reason that is in its message', () => {
    const cause = {
      type: 'request',
      request: 'stop',
      through: 'update',
      who: { given: 'ana' },
      why: 'enough',
    } as const;
    expect(detailsOf({ cause, message: 'stopped by ana: enough' })).toBe('by ana (claimed)');
  });

  it('shows who asked and why, and whether that was authenticated', () => {
    const who = { given: 'ana@laptop', identity: '966@laptop' };
    const asked = { type: 'request', request: 'stop', through: 'update', who, why: 'wrong data' } as const;
    expect(detailsOf({ cause: asked })).toBe('by ana@laptop (claimed, client 966@laptop); why: wrong data');
    const checked = { ...who, authenticated: { type: 'jwt', name: 'ana' } };
    expect(detailsOf({ cause: { ...asked, who: checked } })).toBe(
      'by ana (authenticated: jwt, as ana@laptop, client 966@laptop); why: wrong data',
    );
    const source = 'annotation signalbox.dev/requested-by';
    expect(detailsOf({ cause: { type: 'submitted', who: { given: 'ana', source } } })).toBe(
      'by ana (claimed by annotation signalbox.dev/requested-by)',
    );
    expect(detailsOf({ cause: { type: 'submitted', who: {} } })).toBe('by unknown');
    expect(detailsOf({ cause: { type: 'submitted', who: { identity: '1@cli' } } })).toBe(
      'by unknown (claimed, client 1@cli)',
    );
  });

  it('shows the reason, the rule, the pods, the nodes and where the evidence is', () => {
    expect(
      detailsOf({
        reason: 'NodeLost',
        rule: 'failures.classes.infrastructure',
        pods: [{ pod: 'train-worker-3', node: 'gpu-7', exitCode: 137, signal: 9, reason: 'OOMKilled' }],
        nodes: ['gpu-7', 'gpu-8'],
        evidence: ['a', 'b', 'c', 'd'].map((name) => `file:///evidence/${name}`),
      }),
    ).toBe(
      'reason NodeLost; rule failures.classes.infrastructure; ' +
        'pod train-worker-3 (on gpu-7, exit code 137, signal 9, OOMKilled); node gpu-8; ' +
        'evidence file:///evidence/a, file:///evidence/b, file:///evidence/c and 1 more',
    );
  });

  it('names the parent of a rerun', () => {
    const cause = { type: 'submitted', who: { given: 'ana' }, parent: 'job/ml/train' } as const;
    expect(detailsOf({ cause })).toBe('by ana (claimed); rerun of job/ml/train');
  });

  it('is followed by the remedy for the last reason', () => {
    const last = anEntry({ reason: 'PodFailed' });
    const decided = {
      reason: 'PodFailed',
      message: 'it failed',
      pod: 'train-worker-0',
      exitCode: 3,
    } as const;
    expect(remedyText('job/ml/train', last, decided)).toMatch(
      /^remedy: Exit code 3 .*`signalbox evidence job\/ml\/train --pod train-worker-0`/,
    );
    expect(remedyText('job/ml/train', anEntry(), undefined)).toBeUndefined();
  });

  it.each([
    ['PodFailed', 'remedy: If a restart could succeed, choose restartPolicy OnFailure or ExitCode.'],
    ['DeadlineExceeded', 'remedy: Raise the limit, or see what took the time: the entries above.'],
  ] as const)('does not send a reader of the history of %s to the history', (reason, remedy) => {
    expect(remedyText('nightly', anEntry({ reason }), undefined)).toBe(remedy);
  });
});
