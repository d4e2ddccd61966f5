import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, defaultPayloadConverter } from '@temporalio/client';
import { type AnchorFacts, anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { type OrphanScanOptions, scanForOrphans } from '../../../watcher/anchors/orphan-scan.ts';
import { eventually } from '../../eventually.ts';
import { listed } from '../../temporal/raw-workflows.ts';
import { anAnchor } from '../fixtures.ts';

type Left = Parameters<OrphanScanOptions['onSearched']>[1];

const ROUND_MS = 4;

const anchorsOf = (...jobs: string[]) => jobs.map((job) => anchorFacts(anAnchor({ job, uid: job }))!);

/** A server whose visibility store lists these jobs as closed. */
function serverWith(closed: () => readonly string[]): Client {
  const idOf = (job: string) => ({ workflowId: `job/default/${job}`, runId: job, closedAt: Date.now() });
  const listWorkflowExecutions = async () => ({
    executions: closed().flatMap((job) => listed(idOf(job)).executions),
  });
  const loadedDataConverter = { payloadConverter: defaultPayloadConverter, payloadCodecs: [] };
  const options = { namespace: 'default', loadedDataConverter };
  return { options, workflowService: { listWorkflowExecutions } } as unknown as Client;
}

describe('a scan of all jobs', () => {
  let checked: string[];
  let searched: [string, Left][];
  let calls: { latePods: number; missingAnchors: number };
  let closed: string[];
  let leadership: AbortController;

  beforeEach(() => {
    [checked, searched, closed] = [[], [], []];
    calls = { latePods: 0, missingAnchors: 0 };
    leadership = new AbortController();
  });

  afterEach(() => {
    leadership.abort();
  });

  function begin(open: readonly AnchorFacts[], more: Partial<OrphanScanOptions> = {}): void {
    const options: OrphanScanOptions = {
      temporal: serverWith(() => closed),
      intervalMs: ROUND_MS,
      openAnchors: () => open,
      reconcile: async ({ uid }) => void checked.push(uid),
      cleanUpLatePods: async () => {
        calls.latePods++;
        return [];
      },
      findMissingAnchors: async () => {
        calls.missingAnchors++;
        return [];
      },
      onSearched: (search, left) => void searched.push([search, left]),
      confirmServers: async () => undefined,
      ...more,
    };
    void scanForOrphans(options, leadership.signal);
  }

  /** Waits until so many further rounds are over. */
  async function rounds(count: number): Promise<void> {
    const until = searched.length;
    const ofLatePods = () => searched.slice(until).filter(([search]) => search === 'latePods').length;
    await eventually(`${count} more rounds`, () => ofLatePods() > count, { everyMs: 2 });
  }
  const failing = (bad: string) => async (anchor: AnchorFacts) => {
    checked.push(anchor.uid);
    if (anchor.uid.startsWith(bad)) throw new Error('RST_STREAM');
  };

  it('checks the others, and does all other work, if one job cannot be checked', async () => {
    begin(anchorsOf('bad', 'good', 'fine'), { reconcile: failing('bad') });
    await rounds(1);
    expect(checked.slice(0, 3)).toEqual(['bad', 'good', 'fine']);
    expect(calls.latePods).toBeGreaterThan(0);
    expect(calls.missingAnchors).toBe(1);
  });

  it('logs which job it could not check', async () => {
    begin(anchorsOf('bad', 'good'), { reconcile: failing('bad') });
    await rounds(1);
    const left = searched.find(([search]) => search === 'orphans')?.[1];
    expect(left).toMatchObject({ jobs: 1, anchor: { uid: 'bad' }, error: new Error('RST_STREAM') });
    await rounds(3);
    expect(searched.filter(([search]) => search === 'orphans').every(([, { jobs }]) => jobs === 1)).toBe(
      true,
    );
  });

  it('is not repeated in full because of one job', async () => {
    begin(anchorsOf('bad', 'good'), { reconcile: failing('bad') });
    await rounds(12);
    expect(checked.filter((uid) => uid === 'good')).toHaveLength(1);
    expect(calls.missingAnchors).toBe(1);
  });

  it('retries that job until it can be checked', async () => {
    let isBad = true;
    begin(anchorsOf('bad'), {
      reconcile: async ({ uid }) => {
        checked.push(uid);
        if (isBad) throw new Error('away');
      },
    });
    await rounds(18);
    expect(checked.length).toBeGreaterThan(1);
    isBad = false;
    const left = () => searched.findLast(([search]) => search === 'orphans')?.[1].jobs;
    await eventually('it is checked', () => left() === 0, { everyMs: 2 });
  });

  it('has closed jobs cleaned up although dozens cannot be checked', async () => {
    const bad = Array.from({ length: 30 }, (_, index) => `bad${index}`);
    begin(anchorsOf(...bad, 'good'), { reconcile: failing('bad') });
    await rounds(1);
    checked = [];
    closed = ['good'];
    await rounds(2);
    expect(checked).toContain('good');
  });

  it('starts again if the servers do not answer', async () => {
    let isAway = true;
    begin(anchorsOf('a', 'b'), {
      reconcile: async ({ uid }) => {
        if (isAway) throw new Error('away');
        checked.push(uid);
      },
      confirmServers: async () => {
        if (isAway) throw new Error('Temporal is away');
      },
    });
    await rounds(2);
    expect(searched.find(([search]) => search === 'orphans')?.[1]).toEqual({
      jobs: 1,
      error: new Error('Temporal is away'),
    });
    isAway = false;
    await eventually('all are checked', () => checked.length > 0, { everyMs: 2 });
    await rounds(1);
    expect(checked.slice(0, 2)).toEqual(['a', 'b']);
  });

  it.each(['cleanUpLatePods', 'findMissingAnchors'] as const)('continues if %s fails', async (search) => {
    begin(anchorsOf('a'), { [search]: () => Promise.reject(new Error('failed')) });
    await rounds(2);
    expect(checked).toEqual(['a']);
    expect(Object.values(calls).some((count) => count > 0)).toBe(true);
  });

  it('looks for missing anchors again in the next round after an error', async () => {
    let tries = 0;
    begin([], {
      findMissingAnchors: async () => {
        tries++;
        if (tries < 3) throw new Error('visibility is away');
        return [];
      },
    });
    await rounds(8);
    expect(tries).toBe(3);
  });
});
