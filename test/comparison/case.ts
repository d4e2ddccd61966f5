import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Member } from '../../contracts/host-list.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { withReferences } from '../../contracts/references.ts';
import type { Conventions, GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { renderHostList } from '../../resources/shared.ts';
import { asLauncherPod, hasMade } from './launcher-job.ts';
import { keyOf } from './objects.ts';
import type { GoldenCase, Observed } from './observed.ts';
import { asTrainPods, isOfTrainer } from './train-job-objects.ts';

export const CASES_FOLDER = join(import.meta.dirname, '..', 'golden');

/** The gang scheduler that the operator was started for. */
const GANGS: Readonly<Record<string, GangProvider>> = {
  'gang-volcano': 'volcano',
  'gang-scheduler-plugins': 'coscheduling',
  'gang-min-resources': 'coscheduling',
};

/** What else the operator was started with. */
const CONVENTIONS: Readonly<Record<string, Partial<Conventions>>> = {
  'tf-cluster-domain': { domain: 'corp.example' },
  'paddlejob-elastic-etcd-v0.3.0': { etcdServers: 'http://127.0.0.1:32379' },
};

const FOLDERS: readonly string[] = readdirSync(CASES_FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Manifests that the operator refused. */
export const REFUSED: readonly string[] = FOLDERS.filter((name) => name.includes('-invalid-'));

/** Answers to edits and requests, which have no job of their own; and what is not supported (what-is-not-supported). */
const OTHERS: ReadonlySet<string> = new Set([
  ...['trainjob-refusals', 'trainjob-updates'],
  ...['trainjob-flux', 'trainjob-odd-flux-no-nodes'],
]);

/** Names of all cases of jobs that ran. */
export const CASES: readonly string[] = FOLDERS.filter(
  (name) => !REFUSED.includes(name) && !OTHERS.has(name),
);

export function readCase(name: string): GoldenCase {
  const manifest = readManifest(name);
  const seen = JSON.parse(readFileSync(join(CASES_FOLDER, name, 'observed.json'), 'utf8')) as Observed;
  const masked = { ...seen, created: withoutUids(maskHostPorts(seen.created ?? [])) };
  const job = jobOf(name, pinned(manifest as KubeObject, masked));
  const observed = isOfTrainer(name) ? asTrainPods(masked) : asLauncherPod(masked, job);
  const made = job.plan.roles
    .filter((role) => !role.after || hasMade(observed, job, role.name))
    .map(({ name }) => name);
  return {
    name,
    job,
    observed,
    rendered: maskHostPorts(objectsOf(job, GANGS[name] ?? job.gang.prefers ?? 'none', made)),
  };
}

/** With what the operator wrote into the job's annotations, e.g. the host port that it chose. */
function pinned({ metadata, ...manifest }: KubeObject, { statusWhenRunning }: Observed): unknown {
  const annotations = statusWhenRunning?.jobAnnotations as Readonly<Record<string, string>> | undefined;
  return { ...manifest, metadata: { ...metadata, ...(annotations ? { annotations } : {}) } };
}

/** Endpoints on nodes differ on purpose (host-endpoints). */
const maskHostPorts = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  JSON.parse(
    JSON.stringify(objects)
      .replace(/<nodeIP>:\d+/g, '<nodeIP>:<port>')
      .replace(/(job-key":")[0-9a-f]{40}/g, '$1<sha1>'),
  );

/** The group of a Volcano Job has the job's uid in its name. */
const withoutUids = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  JSON.parse(JSON.stringify(objects).replace(/-<uid>/g, ''));

/** With the runtime that was there before. */
export const readManifest = (name: string): unknown =>
  withReferences(readYaml(name, 'job.yaml'), [
    ...(existsSync(join(CASES_FOLDER, name, 'runtime.yaml')) ? [readYaml(name, 'runtime.yaml')] : []),
  ]);

const readYaml = (name: string, file: string): KubeObject =>
  parse(readFileSync(join(CASES_FOLDER, name, file), 'utf8'));

function jobOf(name: string, manifest: unknown): TrainingJob {
  // As the cases were taken.
  const namespace = `g-${name.replace(/-v0\.3\.0$/, '')}`;
  const parsed = parseManifest(manifest, { namespace, conventions: CONVENTIONS[name] });
  if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
  const { job } = parsed;
  return { ...job, gang: { ...job.gang, schedulerName: 'scheduler-plugins-scheduler' } };
}

/** Everything of the first attempt, with the lists of pods as they are when every pod has an address and is ready. */
function objectsOf(job: TrainingJob, gang: GangProvider, made: readonly string[]): readonly KubeObject[] {
  const attempt = { number: 1, anchorUid: 'anchor' };
  const { shared, group, services, pods } = renderAttempt(job, attempt, { gang, asGang: true, roles: made });
  // What waits for all of the list has not been made while there is nobody on it.
  const members = made.length < job.roles.length ? [] : membersOf(job);
  const hostList = renderHostList(job, 'anchor', members);
  const renewed = new Set(hostList.map(keyOf));
  return [
    ...shared.filter((object) => !renewed.has(keyOf(object))),
    ...hostList,
    ...(group ? [group] : []),
    ...services,
    ...pods,
  ];
}

function membersOf(job: TrainingJob): Member[] {
  const { podName = podNameOf } = frameworkOf(job);
  const listed = job.roles.filter(({ name }) => job.plan.hostList?.roles.includes(name));
  return listed.flatMap(({ name, replicas }) =>
    Array.from({ length: replicas }, (_, index) => {
      const pod = podName(job.name, name, index);
      const address = job.options.intranet === 'Host' ? '<nodeIP>' : `<podIP:${pod}>`;
      return { pod, role: name.toLowerCase(), index, address };
    }),
  );
}
