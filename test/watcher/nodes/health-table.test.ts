import { describe, expect, it } from '@jest/globals';
import { HEALTH_SOURCES, type HealthRow } from '../../../contracts/health-sources.ts';
import type { Node } from '../../../contracts/kubernetes.ts';
import { healthIn } from '../../../watcher/nodes/health-file.ts';
import { HealthTable } from '../../../watcher/nodes/health-table.ts';
import { nodeTrimmer } from '../../../watcher/nodes/node-facts.ts';
import { nodeNotices } from '../../../watcher/nodes/node-notices.ts';
import { aNode } from '../fixtures.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const SINCE = '2026-01-01T11:30:00Z';
const TABLE = new HealthTable();

interface Fact extends Pick<HealthRow, 'kind' | 'key' | 'reason'> {
  readonly value: string;
}

/** A node that is ready, and has one fact more. */
function nodeWith({ kind, key, value, reason = 'Reason' }: Fact): Node {
  const node = aNode();
  const condition = {
    type: key,
    status: value as 'True',
    reason,
    message: 'words',
    lastTransitionTime: SINCE,
  };
  switch (kind) {
    case 'condition':
      return { ...node, status: { ...node.status, conditions: [...node.status!.conditions!, condition] } };
    case 'taint':
      return { ...node, spec: { taints: [{ key, value, effect: 'NoSchedule', timeAdded: SINCE }] } };
    case 'resource': {
      const status = { ...node.status, capacity: { cpu: '64', [key]: '8' } };
      return { ...node, status: { ...status, allocatable: { cpu: '63', [key]: value } } };
    }
    default:
      return { ...node, metadata: { ...node.metadata, [`${kind}s`]: { other: 'label', [key]: value } } };
  }
}

const verdictsOf = (fact: Fact, table = TABLE) => {
  const node = nodeWith(fact);
  const kept = nodeNotices(nodeTrimmer(table)(node), table, NOW);
  // What the watcher keeps of a node says the same as all of it.
  expect(kept).toEqual(nodeNotices(node, table, NOW));
  return kept;
};

const example = (pattern: string) => pattern.replaceAll('*', 'nvidia.com/gpu');
const IN_AN_HOUR = String(NOW / 1000 + 3_600);

const badValue = ({ kind, is, time }: HealthRow) =>
  is?.[0] ?? (time ? IN_AN_HOUR : kind === 'resource' ? '7' : 'any');

/** A value of the same fact that says nothing bad; undefined where only its absence does. */
const goodValue = ({ kind, is }: HealthRow) => {
  if (kind === 'condition') return is?.[0] === 'True' ? 'False' : 'True';
  if (kind === 'resource') return '8';
  return is && !is.includes('fine') ? 'fine' : undefined;
};

describe.each(HEALTH_SOURCES)('of what $name writes', ({ name, rows }) => {
  it.each(rows.map((row) => [`${row.kind} ${row.key}=${row.is?.join('|') ?? '*'}`, row] as const))(
    '%s says what the table says, and nothing when it is well',
    (_, row) => {
      const key = row.kind === 'resource' ? 'nvidia.com/gpu' : example(row.key);
      const reason = row.reason && example(row.reason);
      const [bad, good] = [badValue(row), goodValue(row)];
      const notices = verdictsOf({ ...row, key, reason, value: bad });
      if (row.means === 'nothing') expect(notices).toEqual([]);
      else expect(notices).toMatchObject([{ verdict: row.means, source: name, key }]);
      for (const value of row.is ?? [])
        expect(verdictsOf({ ...row, key, reason, value })).toHaveLength(notices.length);
      if (good !== undefined) expect(verdictsOf({ ...row, key, reason, value: good })).toEqual([]);
    },
  );
});

describe('a notice of a node', () => {
  it('has source, key, a line without secrets, and since when', () => {
    const [notice] = nodeNotices(
      {
        ...aNode(),
        status: {
          conditions: [
            {
              type: 'GpuMemWatch',
              status: 'True',
              reason: 'GpuMemWatchIsNotHealthy',
              message: `ErrorCode:DCGM_FR_1 GPU:0 token=hf_${'a'.repeat(30)} ${'word '.repeat(100)}`,
              lastTransitionTime: SINCE,
            },
          ],
        },
      },
      TABLE,
      NOW,
    );
    expect(notice).toMatchObject({ verdict: 'Sick', source: 'NVSentinel', key: 'GpuMemWatch' });
    expect(notice!.since).toBe(Date.parse(SINCE));
    expect(notice!.reason).toMatch(/^GpuMemWatchIsNotHealthy: ErrorCode:DCGM_FR_1 GPU:0 token=\(hidden\)/);
    expect(notice!.reason!.length).toBeLessThanOrEqual(160);
  });

  it('has the deadline that its source says', () => {
    const key = 'cloud.google.com/scheduled-maintenance-time';
    const deadline = NOW + 3_600_000;
    expect(verdictsOf({ kind: 'label', key, value: IN_AN_HOUR })).toMatchObject([{ deadline }]);
    expect(verdictsOf({ kind: 'label', key, value: IN_AN_HOUR })[0]).not.toHaveProperty('isAssumed');
    // A label that was left behind.
    expect(verdictsOf({ kind: 'label', key, value: String(NOW / 1000 - 7_200) })).toEqual([]);
    expect(verdictsOf({ kind: 'label', key, value: 'soon' })[0]).not.toHaveProperty('deadline');
  });

  it('has an assumed one where nobody says it', () => {
    const key = 'aws-node-termination-handler/spot-itn';
    const deadline = Date.parse(SINCE) + 120_000;
    expect(verdictsOf({ kind: 'taint', key, value: '' })).toMatchObject([{ deadline, isAssumed: true }]);
  });

  it('comes before those that are less grave, and they are few', () => {
    const types = [
      'GpuMemWatch',
      'GpuPcieWatch',
      'XfsShutdown',
      'KernelDeadlock',
      'GpuXid',
      'CSPMaintenance',
    ];
    const conditions = types.map((type) => ({ type, status: 'True' as const }));
    const notices = nodeNotices({ ...aNode(), status: { conditions } }, TABLE, NOW);
    expect(notices.map(({ key }) => key)).toEqual(types.filter((type) => type !== 'CSPMaintenance').sort());
  });
});

describe('the watcher', () => {
  it('keeps of a node only what it is asked for', () => {
    const node = nodeWith({ kind: 'condition', key: 'GpuMemWatch', value: 'True' });
    const healthy = ['GpuPcieWatch', 'KernelDeadlock', 'DiskPressure'].map((type) => ({
      type,
      status: 'False' as const,
    }));
    const kept = nodeTrimmer(TABLE)({
      ...node,
      metadata: { ...node.metadata, labels: { zone: 'a' }, annotations: { note: 'b' } },
      status: {
        ...node.status,
        conditions: [...node.status!.conditions!, ...healthy].map((one) => ({
          ...one,
          lastHeartbeatTime: SINCE,
        })),
        capacity: { cpu: '8', 'nvidia.com/gpu': '8' },
        images: [{ names: ['x'] }],
      },
    });
    expect(kept.metadata).toEqual({ name: 'gpu-1' });
    expect(kept.status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'GpuMemWatch']);
    expect(JSON.stringify(kept)).not.toMatch(/lastHeartbeatTime|images/);
    expect(kept.status?.capacity).toEqual({ 'nvidia.com/gpu': '8' });
  });
});

describe('a file of an installation', () => {
  const table = (text: string) => {
    const read = healthIn(text, 'health.yaml');
    if ('faults' in read) throw new Error(read.faults.join('\n'));
    return new HealthTable(read.sources);
  };

  it('adds sources, and says what means nothing', () => {
    const own = table(`
      sources:
        - name: disks
          rows:
            - { kind: condition, key: DiskWell, is: ['False'], means: Sick }
            - { kind: taint, key: example.com/retire, means: Leaving, lead: 10m }
            - { kind: condition, key: GpuThermalWatch, is: ['True'], means: nothing }`);
    expect(verdictsOf({ kind: 'condition', key: 'DiskWell', value: 'False' }, own)).toMatchObject([
      { verdict: 'Sick', source: 'disks' },
    ]);
    expect(verdictsOf({ kind: 'taint', key: 'example.com/retire', value: '' }, own)).toMatchObject([
      { deadline: Date.parse(SINCE) + 600_000, isAssumed: true },
    ]);
    expect(verdictsOf({ kind: 'condition', key: 'GpuThermalWatch', value: 'True' }, own)).toEqual([]);
    expect(verdictsOf({ kind: 'condition', key: 'GpuMemWatch', value: 'True' }, own)).toHaveLength(1);
  });

  it('switches sources and keys off', () => {
    const own = table('without: [Meta GCM, KernelDeadlock]');
    expect(verdictsOf({ kind: 'condition', key: 'GcmNvlinkProblem', value: 'True' }, own)).toEqual([]);
    expect(verdictsOf({ kind: 'condition', key: 'KernelDeadlock', value: 'True' }, own)).toEqual([]);
    expect(verdictsOf({ kind: 'condition', key: 'XfsShutdown', value: 'True' }, own)).toHaveLength(1);
  });

  it.each([
    ['', [/expected one document, got none/]],
    ['{}', []],
    [
      'without: [NVSentinal]',
      [/^health.yaml: without\[0\]: expected a source or a key .*NVSentinel.*, got "NVSentinal"$/],
    ],
    [
      'sources: [{ name: a, rows: [{ kind: condition, key: K, means: Sick }] }]',
      [
        /sources\[0\]\.rows\[0\]\.is: expected the bad status of the condition, e\.g\. \['True'\], got nothing$/,
      ],
    ],
    [
      'sources: [{ name: a, rows: [{ kind: event, key: K, means: Ill, lead: soon }] }]',
      [
        /\.kind: expected one of .*, got "event"/,
        /\.means: expected one of .*, got "Ill"/,
        /\.lead: expected a duration/,
      ],
    ],
    ['rows: []', [/health.yaml: rows: expected a known field, got an empty list/]],
    ['a: [', [/expected YAML/]],
    ['[]', [/the file: expected an object/]],
  ])('with %j is checked', (text, faults) => {
    const read = healthIn(text, 'health.yaml');
    const found = 'faults' in read ? read.faults : [];
    const expected = Array.isArray(faults) ? faults : [];
    expect(found).toHaveLength(expected.length);
    for (const [index, fault] of expected.entries()) expect(found[index]).toMatch(fault);
  });
});
