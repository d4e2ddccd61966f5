import { expect, test } from '@jest/globals';
import { manifestHashOf } from '../../contracts/manifest-hash.ts';
import { canonicalJson } from '../../language/canonical-json.ts';

test('the hash ignores the order of keys, and not the order of lists', () => {
  expect(manifestHashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(manifestHashOf({ b: { d: 3, c: 2 }, a: 1 }));
  expect(manifestHashOf({ a: [1, 2] })).not.toBe(manifestHashOf({ a: [2, 1] }));
});

test('the hash ignores what JSON drops', () => {
  expect(manifestHashOf({ a: 1, b: undefined })).toBe(manifestHashOf({ a: 1 }));
});

test('canonical JSON is JSON', () => {
  const value = { b: [{ z: null, y: 'ü"' }], a: { '2': 1, '10': 2 } };
  expect(JSON.parse(canonicalJson(value))).toEqual(value);
});

test('canonical JSON has its keys in the order of their UTF-16 code units, also if they are integers', () => {
  expect(canonicalJson({ b: 1, a: 2, '10': 3, '9': 4, B: 5, é: 6, '😀': 7, ﬁ: 8 })).toBe(
    '{"10":3,"9":4,"B":5,"a":2,"b":1,"é":6,"😀":7,"ﬁ":8}',
  );
});

test('the hash of a manifest never changes, because recorded ones are compared with it', () => {
  expect(manifestHashOf({ kind: 'PyTorchJob', metadata: { name: 'a' } })).toBe(
    '6872c2475275a3573f901e68cabdae676b60f295f3003099fb9bacc97c051ade',
  );
});

test('the hash ignores what an API server and programs add', () => {
  const written = {
    kind: 'PyTorchJob',
    metadata: {
      name: 'a',
      namespace: 'ml',
      labels: { team: 'nlp' },
      annotations: { 'example.com/data': '1' },
    },
    spec: { replicas: 2 },
  };
  const read = {
    ...written,
    metadata: {
      ...written.metadata,
      ...{ uid: '1-2-3', resourceVersion: '42', generation: 2, creationTimestamp: '2026-11-20T08:00:00Z' },
      ...{ generateName: 'a', managedFields: [{ manager: 'kubectl' }], finalizers: ['example.com/keep'] },
      annotations: {
        ...written.metadata.annotations,
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        'signalbox.dev/requested-by': 'ana',
      },
    },
    status: { conditions: [] },
  };
  expect(manifestHashOf(read)).toBe(manifestHashOf(written));
});

test.each([
  ['a label', { metadata: { name: 'a', labels: { team: 'nlp' } } }],
  ['an annotation of a user', { metadata: { name: 'a', annotations: { 'example.com/data': '1' } } }],
  [
    'the policy',
    { metadata: { name: 'a', annotations: { 'signalbox.dev/policy': 'scaleByRestart: true' } } },
  ],
  ['the spec', { metadata: { name: 'a' }, spec: {} }],
])('the hash depends on %s', (_, changed) => {
  expect(manifestHashOf(changed)).not.toBe(manifestHashOf({ metadata: { name: 'a' } }));
});
