import { describe, expect, it } from '@jest/globals';
import { pathOf, warningsIn } from '../../cluster/wire.ts';
import { NODES, POD_GROUPS, PODS } from '../../contracts/kubernetes.ts';

describe('the path of a Kubernetes object', () => {
  it('names kind, namespace, object and subresource', () => {
    expect(pathOf(PODS, 'ml', 'train-0', 'log')).toBe('/api/v1/namespaces/ml/pods/train-0/log');
    expect(pathOf(POD_GROUPS, 'ml')).toBe('/apis/scheduling.k8s.io/v1alpha2/namespaces/ml/podgroups');
  });

  it('is of all namespaces without one, and of none where the kind has none', () => {
    expect(pathOf(PODS, undefined)).toBe('/api/v1/pods');
    expect(pathOf(NODES, 'ml', 'gpu-1')).toBe('/api/v1/nodes/gpu-1');
  });

  it.each([
    ['kube-system?x=', '/api/v1/namespaces/kube-system%3Fx%3D/pods/a'],
    ['a#b', '/api/v1/namespaces/a%23b/pods/a'],
  ])('stays within its namespace, whatever that is called: %s', (namespace, path) => {
    expect(pathOf(PODS, namespace, 'a')).toBe(path);
  });

  it.each(['a?fieldManager=x', 'a#b', 'a b'])('names one object, whatever that is called: %s', (name) => {
    const path = pathOf(PODS, 'ml', name);
    expect(path.startsWith('/api/v1/namespaces/ml/pods/a')).toBe(true);
    expect(new URL(path, 'https://cluster').pathname).toBe(path);
    expect(path.split('/')).toHaveLength(7);
  });

  it.each([...['', '.', '..'], ...['a/b', 'a/binding', 'ml/../kube-system', '%2e%2e', 'a%2Fbinding']])(
    'has no segment that the API server would take for another path: %j',
    (segment) => {
      expect(() => pathOf(PODS, segment)).toThrow('expected the name of a Kubernetes object or namespace');
      expect(() => pathOf(PODS, 'ml', segment)).toThrow(`got ${JSON.stringify(segment)}`);
    },
  );
});

describe('warnings of an answer', () => {
  it.each<[header: string | string[] | undefined, texts: string[]]>([
    [undefined, []],
    ['299 - "unknown field \\"spec.nodeSelectr\\""', ['unknown field "spec.nodeSelectr"']],
    [
      ['299 - "first"', '299 kube "second"'],
      ['first', 'second'],
    ],
    ['299 - "first", 299 - "second, with a comma"', ['first', 'second, with a comma']],
  ])('%j are %j', (header, texts) => {
    expect(warningsIn(header)).toEqual(texts);
  });
});
