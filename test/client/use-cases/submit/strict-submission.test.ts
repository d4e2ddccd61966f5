import { describe, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { InvalidManifestError } from '../../../../client/errors/errors.ts';
import type { ClientPorts } from '../../../../client/servers/ports.ts';
import { submitManifest } from '../../../../client/use-cases/submit/submit-manifest.ts';
import { aManifest } from '../../../frameworks/manifests.ts';

const asked = new Error('Temporal was asked');

const ports: ClientPorts = {
  temporal: new Proxy({} as Client, {
    get: () => {
      throw asked;
    },
  }),
  temporalAddress: 'nowhere',
  cluster: () => Promise.reject(asked),
  evidence: () => Promise.reject(asked),
  ...{ user: 'ada@lovelace', taskQueue: 'signalbox', namespace: 'ml' },
};

const misspelt = () => aManifest().with('spec.runPolicy.backofLimit', 2).build() as object;

async function refusal(manifest: object, options: Parameters<typeof submitManifest>[2] = {}) {
  const error: unknown = await submitManifest(ports, manifest, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof InvalidManifestError)) throw error;
  return error;
}

describe('a submission is refused before Temporal is asked', () => {
  test('for an unknown field, with what was probably meant and how to accept it', async () => {
    const { faults, remedy } = await refusal(misspelt());
    expect(faults).toEqual([
      {
        path: 'spec.runPolicy.backofLimit',
        expected: 'a known field (did you mean backoffLimit?)',
        got: '2',
        isUnknown: true,
      },
    ]);
    expect(remedy).toContain('strict: false');
  });

  test('for any other fault, whether unknown fields are accepted or not', async () => {
    const manifest = { ...(aManifest().build() as object), spec: {} };
    for (const strict of [true, false]) {
      const { faults, remedy } = await refusal(manifest, { strict });
      expect(faults).toMatchObject([{ path: 'spec.pytorchReplicaSpecs' }]);
      expect(remedy).not.toContain('strict: false');
    }
  });

  test('by the check that a program has instead', async () => {
    const fault = { path: 'metadata.labels', expected: 'a team', got: 'none' };
    const own = { ...ports, validate: () => [fault] };
    await expect(submitManifest(own, aManifest().build() as object, {})).rejects.toMatchObject({
      faults: [fault],
    });
  });
});

test.each([
  ['a kind that only newer workers may know', 'RelayJob', asked],
  [
    'a misspelt kind',
    'PyTorchJobs',
    expect.objectContaining({ faults: [expect.objectContaining({ path: 'kind' })] }),
  ],
])('of %s, %s, the faults are found where they can be', async (_, kind, expected) => {
  const manifest = { ...(aManifest().build() as object), kind };
  await expect(submitManifest(ports, manifest, {})).rejects.toEqual(expected);
});

test('a submission that accepts unknown fields goes to Temporal', async () => {
  await expect(submitManifest(ports, misspelt(), { strict: false })).rejects.toBe(asked);
});
