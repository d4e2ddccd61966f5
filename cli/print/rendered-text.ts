import type { RenderedJob } from '../../client/manifests/offline/render.ts';

/** Formats documents for kubectl, each job's preceded by comments on how it was read. */
export async function renderedYaml(jobs: readonly RenderedJob[]): Promise<string> {
  const { stringify } = await import('yaml');
  // kubectl reads YAML 1.1, which requires quotes around more words.
  const options = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
  return jobs
    .map((job) => {
      const head = headOf(job).map((line) => `# ${line}`);
      const documents = job.objects.map((object) => `---\n${stringify(object, options).trimEnd()}`);
      return [...head, ...documents].join('\n');
    })
    .join('\n');
}

export const renderedJson = (jobs: readonly RenderedJob[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: jobs.flatMap(({ objects }) => objects) }, null, 2);

/** Lists the settings that apply, given or default. */
function headOf({ job, gang, attempt, remarks }: RenderedJob): string[] {
  const { kind, namespace, name, roles, plan, options } = job;
  const rules = Object.entries({ ...plan.runPolicy, ...options }).filter(([, value]) => value !== undefined);
  return [
    `${kind} ${namespace}/${name}, attempt ${attempt}, ${gangText(job, gang)}`,
    ...roles.map((role) => `${role.name}: replicas ${role.replicas}, restartPolicy ${role.restartPolicy}`),
    ...rules.map(
      ([field, value]) => `${field}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
    ...remarks,
  ];
}

const gangText = ({ gang }: RenderedJob['job'], provider: RenderedJob['gang']) =>
  provider === 'none' ? 'without gang scheduling' : `gang of ${gang.minMember} with ${provider}`;
