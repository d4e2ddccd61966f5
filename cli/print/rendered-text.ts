import type { RenderedJob } from '../../client/offline/render.ts';

/** Documents for kubectl, each job's headed by what it was taken for. */
export async function renderedYaml(jobs: readonly RenderedJob[]): Promise<string> {
  const { stringify } = await import('yaml');
  // kubectl reads YAML 1.1, where more words need quotes.
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

/** What the manifest says and what it leaves to defaults, as it will be acted on. */
function headOf({ job, gang, attempt, remarks }: RenderedJob): string[] {
  const { kind, namespace, name, roles, runPolicy, options } = job;
  const rules = Object.entries({ ...runPolicy, ...options }).filter(([, value]) => value !== undefined);
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
  provider === 'none' ? 'without gang scheduling' : `a gang of ${gang.minMember} by ${provider}`;
