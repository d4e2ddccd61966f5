import { describe, expect, it } from '@jest/globals';
import { refuseUnknownOptions } from '../../client/handles/known-options.ts';

describe('options that a method of the client does not have', () => {
  it.each([
    ['submit', { keey: 'a' }, 'keey: expected the option key, got an unknown option'],
    ['submitMany', { keey: 'a' }, 'keey: expected the option key, got an unknown option'],
    ['apply', { dryrun: true }, 'dryrun: expected the option dryRun, got an unknown option'],
    ['sweep', { set: {}, atmost: 2 }, 'atmost: expected the option atMost, got an unknown option'],
    ['rerun', { revison: 2 }, 'revison: expected the option revision, got an unknown option'],
    ['schedule', { corn: ['0 2 * * *'] }, 'corn: expected the option cron, got an unknown option'],
    [
      'wait',
      { seconds: 5 },
      'seconds: expected one of the options timeout, signal, onInterrupted, got an unknown option',
    ],
    ['connect', { taskqueue: 'gpu' }, 'taskqueue: expected the option taskQueue, got an unknown option'],
    ['list', { phas: 'Failed' }, 'phas: expected the option phase, got an unknown option'],
    ['stop', { chekpoint: true }, 'chekpoint: expected the option checkpoint, got an unknown option'],
    ['hold', { second: 5 }, 'second: expected the option seconds, got an unknown option'],
    ['history', { atempt: 2 }, 'atempt: expected the option attempt, got an unknown option'],
    ['cost', { by: ['team'], sine: new Date() }, 'sine: expected the option since, got an unknown option'],
    ['report', { namesapce: 'ml' }, 'namesapce: expected the option namespace, got an unknown option'],
    ['jobCost', { price: {} }, 'price: expected the option prices, got an unknown option'],
    ['notifications', { nam: 'train' }, 'nam: expected the option name, got an unknown option'],
    [
      'connect',
      { temporal: { adress: 'temporal:7233' } },
      'temporal.adress: expected the option address, got an unknown option',
    ],
    [
      'connect',
      { temporal: { tls: { caFle: 'ca.pem' } } },
      'temporal.tls.caFle: expected the option caFile, got an unknown option',
    ],
    ['connect', { lanes: { nam: 'lanes' } }, 'lanes.nam: expected the option name, got an unknown option'],
    [
      'submit',
      { rerunOf: { runid: 'a' } },
      'rerunOf.runid: expected the option runId, got an unknown option',
    ],
    ['trigger', { overlp: 'skip' }, 'overlp: expected the option overlap, got an unknown option'],
    ['backfill', { form: new Date() }, 'form: expected the option from, got an unknown option'],
    ['pauseSchedule', { wy: 'works' }, 'wy: expected the option why, got an unknown option'],
    ['moveToLane', { lan: 'research' }, 'lan: expected the option lane, got an unknown option'],
    [
      'archive',
      { workflowIDs: ['a'] },
      'workflowIDs: expected the option workflowIds, got an unknown option',
    ],
    [
      'openArchive',
      { dataconverter: 'a.js' },
      'dataconverter: expected the option dataConverter, got an unknown option',
    ],
    ['archived', { endedsince: '2026' }, 'endedsince: expected the option endedSince, got an unknown option'],
    [
      'connect',
      { constructor: 1 },
      'constructor: expected one of the options temporal, cluster, evidence, taskQueue, namespace, lanes, submittedBy, validate, got an unknown option',
    ],
    ['logs', { tailines: 5 }, 'tailines: expected the option tailLines, got an unknown option'],
  ] as const)('%s %j is refused before anything is done', async (method, options, fault) => {
    await expect(refuseUnknownOptions({ [method]: options })).rejects.toMatchObject({
      code: 'InvalidManifest',
      message: `The options have an error:\n  ${fault}`,
      remedy: 'Nothing was done. Correct the options and call again.',
    });
  });

  it('are names that users choose where these are expected', async () => {
    const options = { labels: { team: 'a', kee: 'b' } };
    await expect(refuseUnknownOptions({ submit: options })).resolves.toBeUndefined();
  });

  it('all are named, and one that is undefined is none', async () => {
    await expect(refuseUnknownOptions({ wait: { a: 1, b: 2, c: undefined } })).rejects.toThrow('2 errors');
    await expect(refuseUnknownOptions({ wait: { onInterrupted: () => {} } })).resolves.toBeUndefined();
    await expect(refuseUnknownOptions({ submit: { key: 'a', keey: undefined } })).resolves.toBeUndefined();
  });
});
