import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { nodeConditions, trimNode, worstCondition } from '../../../watcher/nodes/node-facts.ts';
import { NodeStore } from '../../../watcher/nodes/node-store.ts';
import { aNode, type NodeChoice } from '../fixtures.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const TOLD = '2026-01-01T00:30:00Z';
const outOfService = (timeAdded?: string) => ({ key: 'node.kubernetes.io/out-of-service', timeAdded });
const unschedulable = (timeAdded?: string) => ({ key: 'node.kubernetes.io/unschedulable', timeAdded });

describe('the trouble of a node', () => {
  it.each<[string, NodeChoice, string | undefined, number]>([
    ['is none when it is ready', {}, undefined, 0],
    [
      'is that it is not ready, since it said so',
      { ready: 'False', since: TOLD },
      'NotReady',
      Date.parse(TOLD),
    ],
    ['is the same when it is silent', { ready: 'Unknown', since: TOLD }, 'NotReady', Date.parse(TOLD)],
    ['is that it is cordoned', { cordoned: true }, 'Cordoned', NOW],
    [
      'is that it is cordoned, since the taint for it',
      { cordoned: true, taints: [unschedulable(TOLD)] },
      'Cordoned',
      Date.parse(TOLD),
    ],
    [
      'is that it is out of service, before all else',
      { ready: 'Unknown', cordoned: true, taints: [outOfService()] },
      'OutOfService',
      NOW,
    ],
    [
      'is that it is out of service, since its taint',
      { taints: [outOfService(TOLD)] },
      'OutOfService',
      Date.parse(TOLD),
    ],
    [
      'is that it is not ready, before a cordon',
      { ready: 'False', since: TOLD, cordoned: true },
      'NotReady',
      Date.parse(TOLD),
    ],
  ])('%s', (_, choice, trouble, since) => {
    const expected = trouble && { trouble, since };
    expect(worstCondition(nodeConditions(aNode(choice), {}, NOW))).toEqual(expected);
    expect(worstCondition(nodeConditions(trimNode(aNode(choice)), {}, NOW))).toEqual(expected);
  });

  it('is as old as its first observation, if the cluster has no time for it', () => {
    const known = nodeConditions(aNode({ cordoned: true }), {}, NOW);
    expect(nodeConditions(aNode({ cordoned: true }), known, NOW + 60_000)).toEqual(known);
  });
});

describe('the node store', () => {
  let told: string[];
  let occupied: string[];
  let book: NodeStore;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    [told, occupied] = [[], []];
    book = new NodeStore({
      occupied: () => occupied,
      changed: (node, begins) => told.push(`${node} ${book.conditionOf(node)?.trouble}${begins ? '!' : ''}`),
    });
    book.handlers.replaced([aNode(), aNode({ name: 'gpu-2' })], 1);
  });

  afterEach(() => void jest.useRealTimers());

  it('reports nothing while nodes renew their status', () => {
    for (let resourceVersion = 2; resourceVersion < 50; resourceVersion++)
      book.handlers.changed(aNode(), resourceVersion);
    expect(told).toEqual([]);
    expect(book.resourceVersion).toBe(49);
  });

  it('reports when trouble begins, becomes graver, and ends', () => {
    book.handlers.changed(aNode({ cordoned: true }), 2);
    book.handlers.changed(aNode({ cordoned: true, ready: 'False' }), 3);
    book.handlers.changed(aNode({ cordoned: true, ready: 'False' }), 4);
    book.handlers.changed(aNode(), 5);
    expect(told).toEqual(['gpu-1 Cordoned!', 'gpu-1 NotReady!', 'gpu-1 undefined']);
  });

  it('treats a deleted node as not ready, since its deletion was seen', () => {
    book.handlers.deleted(aNode(), 2);
    jest.setSystemTime(NOW + 5_000);
    book.handlers.replaced([], 3);
    expect(told).toEqual(['gpu-1 NotReady!', 'gpu-2 NotReady!']);
    expect(book.conditionOf('gpu-1')).toEqual({ trouble: 'NotReady', since: NOW });
    expect(book.conditionOf('gpu-2')).toEqual({ trouble: 'NotReady', since: NOW + 5_000 });
    book.handlers.changed(aNode(), 4);
    expect(book.conditionOf('gpu-1')).toBeUndefined();
  });

  it('reports the missing node of a pod that was deleted before the first list', () => {
    occupied = ['gpu-0', 'gpu-1'];
    book.handlers.replaced([aNode(), aNode({ name: 'gpu-2' })], 2);
    expect(told).toEqual(['gpu-0 NotReady!']);
  });

  it('knows no trouble once nodes cannot be read', () => {
    book.handlers.changed(aNode({ ready: 'False' }), 2);
    book.forget();
    expect(told).toEqual(['gpu-1 NotReady!', 'gpu-1 undefined']);
    expect(book.resourceVersion).toBeUndefined();
  });
});
