import { describe, expect, it } from '@jest/globals';
import type { ContainerPort } from '../../../contracts/kubernetes.ts';
import { pytorch } from '../../../frameworks/kinds/pytorch.ts';
import { mainContainerOf, portsOf, rendezvousPort } from '../../../frameworks/model/main-container.ts';

const templateOf = (...names: string[]) => ({ spec: { containers: names.map((name) => ({ name })) } });
const withPorts = (...ports: ContainerPort[]) => ({ spec: { containers: [{ name: 'pytorch', ports }] } });

describe('the main container', () => {
  it.each([
    [['pytorch', 'metrics'], 'pytorch'],
    [['metrics', 'pytorch'], 'pytorch'],
    [['train', 'metrics'], 'train'],
  ])('of %j is %s', (names, main) => {
    expect(mainContainerOf(templateOf(...names), pytorch).name).toBe(main);
  });
});

describe('the ports of the main container', () => {
  const table: readonly [says: string, ports: ContainerPort[], all: number[], rendezvous: number][] = [
    ['get the kind’s own', [], [23456], 23456],
    ['get it beside others', [{ containerPort: 80 }], [80, 23456], 23456],
    [
      'keep the number chosen under its name',
      [{ name: 'pytorchjob-port', containerPort: 29500 }],
      [29500],
      29500,
    ],
    ['do not get its number twice', [{ name: 'mine', containerPort: 23456 }], [23456], 23456],
    ['get it beside UDP', [{ containerPort: 23456, protocol: 'UDP' }], [23456, 23456], 23456],
  ];
  it.each(table)('%s', (_, ports, all, rendezvous) => {
    const template = withPorts(...ports);
    expect(portsOf(template, pytorch).map(({ containerPort }) => containerPort)).toEqual(all);
    const role = { name: 'Master', replicas: 1, restartPolicy: 'OnFailure', template } as const;
    expect(rendezvousPort(role, pytorch)).toBe(rendezvous);
  });
});
