import { describe, expect, it } from '@jest/globals';
import type { KubeObject, PodSpec } from '../../contracts/kubernetes.ts';
import { readCase } from '../comparison/case.ts';

describe.each(['gang-volcano', 'gang-scheduler-plugins'])('in the case %s', (name) => {
  const { observed, rendered } = readCase(name);

  it('the group is that of the original operator', () => {
    expect(groupsOf(rendered)).toEqual(groupsOf(observed.created));
    expect(groupsOf(rendered)).toHaveLength(1);
  });

  it('pods have the marks of the original operator', () => {
    expect(marksOf(rendered)).toEqual(marksOf(observed.created));
    expect(marksOf(rendered)).toHaveLength(3);
  });
});

const ofKind = (objects: readonly KubeObject[], wanted: string) =>
  objects.filter(({ kind }) => kind === wanted);

const groupsOf = (objects: readonly KubeObject[]) =>
  ofKind(objects, 'PodGroup').map(({ apiVersion, metadata: { name, annotations }, spec }) => ({
    apiVersion,
    name,
    annotations,
    spec,
  }));

const marksOf = (objects: readonly KubeObject[]) =>
  ofKind(objects, 'Pod').map(({ metadata, spec }) => ({
    name: metadata.name,
    annotations: metadata.annotations,
    group: metadata.labels?.['scheduling.x-k8s.io/pod-group'],
    scheduler: (spec as PodSpec).schedulerName,
  }));
