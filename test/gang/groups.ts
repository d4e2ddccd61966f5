import type { Condition, KubeObject } from '../../contracts/kubernetes.ts';

/** A group of three as its scheduler has left it. */
export const aGroup = (status?: object, spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PodGroup',
  metadata: { name: 'resnet' },
  spec: { minMember: 3, ...spec },
  ...(status ? { status } : {}),
});

/** `at`: seconds. */
export const aCondition = (type: string, at: number, fields: Partial<Condition> = {}): Condition => ({
  type,
  status: 'True',
  lastTransitionTime: `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`,
  ...fields,
});
