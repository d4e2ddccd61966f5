import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { writtenVersionOf } from '../../frameworks/manifest/written-version.ts';
import { resourcesIn } from '../corpus/resources.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { openStage, type Stage } from './stage.ts';

/** The definitions of the kinds, as an API server takes them. No bridge and no engine runs. */

let stage: Stage;
let kubectl: Kubectl;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  kubectl = await openKubectl(stage);
  await applyDefinitions(kubectl);
});

afterAll(async () => {
  await stage.close();
  await deleteDefinitions(kubectl);
});

/** The jobs of all files, each under a name of its own. */
const jobsIn = (pattern: string): readonly JobResource[] =>
  resourcesIn(pattern).map((job, index) => ({ ...job, metadata: { ...job.metadata, name: `job-${index}` } }));

const withNamespace = (job: JobResource) => ({
  ...job,
  metadata: { ...job.metadata, namespace: stage.namespace },
});

describe('an API server with the definitions', () => {
  it.each([
    ['example', 'examples/**/job*.yaml', 20],
    ['manifest that the original operators took', 'test/golden/!(*-invalid-*)/job.yaml', 50],
  ])('takes every %s, and knows all of its fields', async (_, pattern, atLeast) => {
    const jobs = jobsIn(pattern).map(withNamespace);
    expect(jobs.length).toBeGreaterThanOrEqual(atLeast);
    const said = await kubectl.apply(jobs, '--dry-run=server', '--validate=strict');
    expect(said.trim().split('\n')).toHaveLength(jobs.length);
  });

  it('keeps which version of MPIJob was written, whichever is read', async () => {
    const cases = ['mpi-v1', 'mpi-v2-openmpi'].flatMap((name) => jobsIn(`test/golden/${name}/job.yaml`));
    await kubectl.apply(
      cases.map((job, index) => withNamespace({ ...job, metadata: { name: `mpi-${index}` } })),
    );
    for (const version of ['kubeflow.org/v1', 'kubeflow.org/v2beta1']) {
      const read = jobResourceOf({ apiVersion: version, kind: 'MPIJob' });
      const found = await Promise.all(
        cases.map((_, index) => stage.cluster.get(read, stage.namespace, `mpi-${index}`)),
      );
      expect(found.map(({ apiVersion }) => apiVersion)).toEqual([version, version]);
      expect(found.map(writtenVersionOf)).toEqual(['kubeflow.org/v1', 'kubeflow.org/v2beta1']);
    }
  });
});
