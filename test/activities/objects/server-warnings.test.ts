import { describe, expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createMissing } from '../../../activities/create-attempt.ts';
import type { createObjects } from '../../../activities/objects/create-objects.ts';
import type { KubeObject, Resource } from '../../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { aManifest } from '../../frameworks/manifests.ts';

type Warn = (object: KubeObject) => readonly string[];

/** What an attempt of the job is warned of by an API server that says this of each object. */
async function warningsOf(job: TrainingJob, warn: Warn): Promise<readonly string[] | undefined> {
  const cluster = {
    now: () => Date.now(),
    create: async (
      _: Resource,
      object: KubeObject,
      { warned }: { readonly warned: (texts: readonly string[]) => void },
    ) => {
      warned(warn(object));
      return object;
    },
    list: async () => ({ items: [], metadata: {} }),
  };
  const bulk = { run: <T>(work: () => Promise<T>) => work() };
  const tools = { cluster, connections: 5, bulk } as never as Parameters<typeof createObjects>[0];
  const { services, pods } = renderAttempt(
    job,
    { number: 1, anchorUid: 'anchor-1' },
    { gang: 'none', asGang: false },
  );
  const request = {
    job,
    anchorUid: 'anchor-1',
    attempt: 1,
    gang: 'none',
    succeededIndices: {},
    asGang: false,
  } as const;
  const activity = { cancellationSignal: new AbortController().signal } as Context;
  const objects = { shared: [], group: undefined, services, pods };
  const { warnings } = await asyncLocalStorage.run(activity, () =>
    createMissing(tools, request, { objects, look: 'nothing' }),
  );
  return warnings;
}

const SPECS = 'spec.pytorchReplicaSpecs';
const ofPods =
  (text: (name: string) => string): Warn =>
  ({ kind, metadata }) =>
    kind === 'Pod' ? [text(metadata.name)] : [];

describe('warnings of the API server', () => {
  const job = aManifest().job();

  it('are told by the paths of their templates, once for many pods, whatever their names', async () => {
    const manyWorkers = aManifest().with(`${SPECS}.Worker.replicas`, 40).job();
    const said = await warningsOf(
      manyWorkers,
      ofPods((name) => `${name} would violate PodSecurity "restricted:latest"`),
    );
    expect(said!.map((text) => text.replace(/\S+ would/, 'would'))).toEqual(
      ['Master', 'Worker'].map(
        (role) => `${SPECS}.${role}.template: would violate PodSecurity "restricted:latest"`,
      ),
    );
  });

  it('of fields that the cluster does not know name the field', async () => {
    expect(
      await warningsOf(
        job,
        ofPods(() => 'unknown field "spec.hostnameOverride"'),
      ),
    ).toEqual([
      `${SPECS}.Master.template.spec.hostnameOverride: unknown field, ignored by the cluster`,
      `${SPECS}.Worker.template.spec.hostnameOverride: unknown field, ignored by the cluster`,
    ]);
  });

  it('are not told again of fields that the parser has warned of', async () => {
    const typo = aManifest().with(`${SPECS}.Worker.template.spec.nodeSelectr`, {}).job();
    expect(typo.warnings).toEqual([expect.stringContaining('nodeSelectr: unknown field')]);
    const said = await warningsOf(typo, ({ kind, metadata }) =>
      kind === 'Pod' && metadata.name.includes('worker') ? ['unknown field "spec.nodeSelectr"'] : [],
    );
    expect(said).toBeUndefined();
  });

  it('of Services are told, too', async () => {
    expect(await warningsOf(job, ({ kind }) => (kind === 'Service' ? ['deprecated'] : []))).toEqual([
      'Service: deprecated',
    ]);
  });

  it('are few and short, and absent if there are none', async () => {
    let count = 0;
    const said = await warningsOf(job, () =>
      Array.from({ length: 30 }, () => `${count++} ${'x'.repeat(5000)}`),
    );
    expect(said).toHaveLength(10);
    for (const text of said!) expect(text.length).toBeLessThanOrEqual(500);
    expect(await warningsOf(job, () => [])).toBeUndefined();
  });
});
