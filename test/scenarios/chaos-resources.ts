import type { JobResource, JobResourceStatus } from '../../contracts/job-resources.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { Ends } from './chaos-ends.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import type { Stage } from './stage.ts';

/** What custom resources do not say as the workflows of their ended jobs do, and resources that are not there, a line each. */
export async function wrongResources(
  { cluster, namespace }: Pick<Stage, 'cluster' | 'namespace'>,
  jobs: readonly ChaosJob[],
  ends: Ends,
): Promise<readonly string[]> {
  const born = jobs.flatMap(({ resource, ...job }) => (resource ? [{ ...job, resource }] : []));
  const kinds = new Map(born.map(({ resource }) => [`${resource.apiVersion} ${resource.kind}`, resource]));
  const lists = await Promise.all(
    [...kinds.values()].map(async (kind) => (await cluster.list(kind, { namespace })).items),
  );
  // Both versions of a kind list the same.
  const found = new Map(lists.flat().map((one) => [one.metadata.name, one]));
  const unknown = [...found.keys()].filter((name) => !born.some((job) => job.name === name));
  return [
    ...unknown.map((name) => `${name}: nobody applied such a resource`),
    ...born.flatMap(({ name, plannedEnd }) => {
      const outcome = ends.get(name);
      const isWanted = plannedEnd !== 'losesItsResource';
      const resource = found.get(name);
      if (!isWanted) return resource ? [`${name}: its resource is still there`] : [];
      if (!resource) return [`${name}: its resource is gone`];
      return outcome ? faultsOf(resource, outcome) : [];
    }),
  ];
}

const CONDITION_OF = { Completed: 'Succeeded', Failed: 'Failed', Stopped: 'Failed' } as const;

function faultsOf({ metadata, status = {} }: JobResource, outcome: JobOutcome): readonly string[] {
  const { name, generation } = metadata as JobResource['metadata'] & { readonly generation?: number };
  const wanted = {
    phase: outcome.phase,
    reason: outcome.cause?.reason,
    end: [CONDITION_OF[outcome.phase]],
    observedGeneration: generation,
  };
  const said = {
    phase: status.phase,
    reason: status.reason,
    end: endsIn(status),
    observedGeneration: status.observedGeneration,
  };
  const isRight = JSON.stringify(wanted) === JSON.stringify(said) && status.runId !== undefined;
  return isRight
    ? []
    : [`${name}: expected its resource to say ${JSON.stringify(wanted)}, got ${JSON.stringify(status)}`];
}

const endsIn = ({ conditions = [] }: JobResourceStatus): readonly string[] =>
  conditions
    .filter(({ type, status }) => (type === 'Succeeded' || type === 'Failed') && status === 'True')
    .map(({ type }) => type);
