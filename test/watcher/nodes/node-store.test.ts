import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { nodeConditions, worstCondition } from '../../../contracts/node-conditions.ts';
import { NOTICES } from '../../../contracts/timing.ts';
import { NodeStore } from '../../../watcher/nodes/node-store.ts';
import { aNode, type NodeChoice, trimNode } from '../fixtures.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const REPORTED = '2026-01-01T00:30:00Z';
const outOfService = (timeAdded?: string) => ({ key: 'node.kubernetes.io/out-of-service', timeAdded });
const unschedulable = (timeAdded?: string) => ({ key: 'node.kubernetes.io/unschedulable', timeAdded });

describe('the trouble of a node', () => {
  it.each<[string, NodeChoice, string | undefined, number]>([
    ['is none when it is ready', {}, undefined, 0],
    [
      'is that it is not ready, since it said so',
      { ready: 'False', since: REPORTED },
      'NotReady',
      Date.parse(REPORTED),
    ],
    [
      'is the same when it is silent',
      { ready: 'Unknown', since: REPORTED },
      'NotReady',
      Date.parse(REPORTED),
    ],
    ['is that it is cordoned', { cordoned: true }, 'Cordoned', NOW],
    [
      'is that it is cordoned, since the taint for it',
      { cordoned: true, taints: [unschedulable(REPORTED)] },
      'Cordoned',
      Date.parse(REPORTED),
    ],
    [
      'is that it is out of service, before all else',
      { ready: 'Unknown', cordoned: true, taints: [outOfService()] },
      'OutOfService',
      NOW,
    ],
    [
      'is that it is out of service, since its taint',
      { taints: [outOfService(REPORTED)] },
      'OutOfService',
      Date.parse(REPORTED),
    ],
    [
      'is that it is not ready, before a cordon',
      { ready: 'False', since: REPORTED, cordoned: true },
      'NotReady',
      Date.parse(REPORTED),
    ],
  ])('%s', (_, choice, trouble, since) => {
    const silent = choice.ready === 'Unknown' ? { isSilent: true } : {};
    const expected = trouble && { trouble, since, ...silent };
    expect(worstCondition(nodeConditions(aNode(choice), {}, NOW))).toEqual(expected);
    expect(worstCondition(nodeConditions(trimNode(aNode(choice)), {}, NOW))).toEqual(expected);
  });

  it('is as old as its first observation, if the cluster has no time for it', () => {
    const known = nodeConditions(aNode({ cordoned: true }), {}, NOW);
    expect(nodeConditions(aNode({ cordoned: true }), known, NOW + 60_000)).toEqual(known);
  });
});

describe('the node store', () => {
  let changes: string[];
  let occupied: string[];
  let nodes: NodeStore;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    [changes, occupied] = [[], []];
    nodes = new NodeStore({
      occupied: () => occupied,
      changed: (node, begins) =>
        changes.push(`${node} ${nodes.conditionOf(node)?.trouble}${begins ? '!' : ''}`),
    });
    nodes.handlers.replaced([aNode(), aNode({ name: 'gpu-2' })], 1);
  });

  afterEach(() => void jest.useRealTimers());

  it('reports nothing while nodes renew their status', () => {
    for (let resourceVersion = 2; resourceVersion < 50; resourceVersion++)
      nodes.handlers.changed(aNode(), resourceVersion);
    expect(changes).toEqual([]);
    expect(nodes.resourceVersion).toBe(49);
  });

  it('reports when trouble begins, becomes graver, and ends', () => {
    nodes.handlers.changed(aNode({ cordoned: true }), 2);
    nodes.handlers.changed(aNode({ cordoned: true, ready: 'False' }), 3);
    nodes.handlers.changed(aNode({ cordoned: true, ready: 'False' }), 4);
    nodes.handlers.changed(aNode(), 5);
    expect(changes).toEqual(['gpu-1 Cordoned!', 'gpu-1 NotReady!', 'gpu-1 undefined']);
  });

  it('treats a deleted node as not ready, since its deletion was seen', () => {
    nodes.handlers.deleted(aNode(), 2);
    jest.setSystemTime(NOW + 5_000);
    nodes.handlers.replaced([], 3);
    expect(changes).toEqual(['gpu-1 NotReady!', 'gpu-2 NotReady!']);
    expect(nodes.conditionOf('gpu-1')).toEqual({ trouble: 'NotReady', since: NOW });
    expect(nodes.conditionOf('gpu-2')).toEqual({ trouble: 'NotReady', since: NOW + 5_000 });
    nodes.handlers.changed(aNode(), 4);
    expect(nodes.conditionOf('gpu-1')).toBeUndefined();
  });

  it('reports the missing node of a pod that was deleted before the first list', () => {
    occupied = ['gpu-0', 'gpu-1'];
    nodes.handlers.replaced([aNode(), aNode({ name: 'gpu-2' })], 2);
    expect(changes).toEqual(['gpu-0 NotReady!']);
  });

  it('knows no trouble once nodes cannot be read', () => {
    nodes.handlers.changed(aNode({ ready: 'False' }), 2);
    nodes.forget();
    expect(changes).toEqual(['gpu-1 NotReady!', 'gpu-1 undefined']);
    expect(nodes.resourceVersion).toBeUndefined();
  });

  const sick = (status: 'True' | 'False'): ReturnType<typeof aNode> => {
    const node = aNode();
    const conditions = [...node.status!.conditions!, { type: 'GpuMemWatch', status }];
    return { ...node, status: { ...node.status, conditions } };
  };

  it('tells at once that a source calls a node sick, and later that it does so no more', () => {
    nodes.handlers.changed(sick('True'), 2);
    expect([changes, nodes.noticesOf('gpu-1').map(({ key }) => key)]).toEqual([
      ['gpu-1 undefined!'],
      ['GpuMemWatch'],
    ]);
    nodes.handlers.changed(sick('False'), 3);
    expect(nodes.noticesOf('gpu-1')).toHaveLength(1);
    jest.advanceTimersByTime(NOTICES.quietMs);
    expect([changes, nodes.noticesOf('gpu-1')]).toEqual([['gpu-1 undefined!', 'gpu-1 undefined'], []]);
  });

  it('tells once of a source that flaps', () => {
    for (let second = 0; second < 600; second++) {
      nodes.handlers.changed(sick(second % 2 ? 'True' : 'False'), 2 + second);
      jest.advanceTimersByTime(1_000);
    }
    expect(changes).toEqual(['gpu-1 undefined!']);
  });

  it('has no notices of a node that is gone', () => {
    nodes.handlers.changed(sick('True'), 2);
    nodes.handlers.deleted(sick('True'), 3);
    expect([nodes.noticesOf('gpu-1'), nodes.conditionOf('gpu-1')?.trouble]).toEqual([[], 'NotReady']);
    jest.advanceTimersByTime(NOTICES.longestQuietMs);
    expect(changes.at(-1)).toBe('gpu-1 NotReady');
  });
});
