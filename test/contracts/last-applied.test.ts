import { describe, expect, test } from '@jest/globals';
import { checkedManifest } from '../../client/manifests/checked-manifest.ts';
import { namedManifest } from '../../client/manifests/named-manifest.ts';
import { LAST_APPLIED, withoutLastApplied } from '../../contracts/last-applied.ts';
import { manifestHashOf } from '../../contracts/manifest-hash.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { recordedSource } from '../../record/compare/recorded-source.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';

const COPY = { [LAST_APPLIED]: '{"env":[{"name":"HF_TOKEN","value":"hunter2"}]}' };

const jobWith = (annotations: object, ofPods: object) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name: 'sec', ...annotations },
  spec: {
    pytorchReplicaSpecs: {
      Worker: {
        template: {
          metadata: { labels: { team: 'nlp' }, ...ofPods },
          spec: { containers: [{ name: 'pytorch', image: 'train:1' }] },
        },
      },
    },
  },
});

const WRITTEN = jobWith({}, { annotations: { team: 'nlp' } });
const APPLIED = jobWith({ annotations: COPY }, { annotations: { ...COPY, team: 'nlp' } });

describe('the copy of a manifest that kubectl apply makes', () => {
  test('is removed, also in templates, with annotations that have no other key', () => {
    expect(withoutLastApplied(APPLIED)).toEqual(WRITTEN);
    expect(withoutLastApplied({ annotations: {} })).toEqual({ annotations: {} });
    expect(withoutLastApplied(WRITTEN)).toBe(WRITTEN);
    expect(withoutLastApplied(undefined)).toBeUndefined();
  });

  test('is never submitted, and does not change the hash', () => {
    const submitted = checkedManifest(APPLIED, { namespace: 'ml' });
    expect(JSON.stringify(submitted)).not.toContain('hunter2');
    expect(manifestHashOf(submitted)).toBe(manifestHashOf(checkedManifest(WRITTEN, { namespace: 'ml' })));
    expect(JSON.stringify(namedManifest(APPLIED, 'ml'))).not.toContain('hunter2');
  });

  test('does not count for the limit of size', () => {
    const large = jobWith({ annotations: { [LAST_APPLIED]: 'x'.repeat(600_000) } }, {});
    expect(checkedManifest(large, { namespace: 'ml' }).metadata).toEqual({ name: 'sec', namespace: 'ml' });
    expect(parseManifest(large, { namespace: 'ml' })).toHaveProperty('job');
  });

  test('does not reach the anchor of a job that Temporal’s own tools started', () => {
    const parsed = parseManifest(APPLIED, { namespace: 'ml' });
    expect(parsed).toHaveProperty('job');
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });

  test('is dropped when a history has it', async () => {
    const started = { workflowExecutionStartedEventAttributes: { input: { payloads: [APPLIED] } } };
    const decode = async (payloads: unknown) => (payloads ?? []) as readonly unknown[];
    const source = await recordedSource([{ events: [started as never as RunEvent] }], decode);
    expect(source.manifest).toEqual(WRITTEN);
  });
});
