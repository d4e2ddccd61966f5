import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import { unlessMissed } from '../scenarios/chaos-pod-control.ts';

/** People who may write pods, ConfigMaps and statuses in the jobs' namespace, and know nothing of what we keep on them. */

/** What a merge patch sets; null removes a key. */
type Edit = Readonly<Record<string, string | null>>;

/** By what is tallied. `other`: the name of another job. */
const POD_EDITS: Readonly<Record<string, (other: string) => Edit>> = {
  'loses the label of its job': () => ({ [LABELS.job]: null }),
  'gets the label of another job': (other) => ({ [LABELS.job]: other }),
  'loses the label of its attempt': () => ({ [LABELS.attempt]: null }),
  'gets another attempt': () => ({ [LABELS.attempt]: '99' }),
  'loses the label of its role': () => ({ [LABELS.role]: null }),
  'gets another role': () => ({ [LABELS.role]: 'evaluator' }),
  'gets another index': () => ({ [LABELS.index]: '77' }),
  'gets the name of another pod': (other) => ({ [LABELS.pod]: `${other}-worker-0` }),
};

const ANCHOR_LABELS: Readonly<Record<string, Edit>> = {
  'loses its label': { [LABELS.anchor]: null },
  'loses the label of its job': { [LABELS.job]: null },
  'gets the label of another installation': { [LABELS.installation]: 'another' },
};

const ANCHOR_ANNOTATIONS: Readonly<Record<string, (other: string) => Edit>> = {
  'says that its job has ended': () => ({ [ANNOTATIONS.phase]: 'Completed' }),
  'says that its job has expired': () => ({
    [ANNOTATIONS.phase]: 'Failed',
    [ANNOTATIONS.expiresAt]: '2020-01-01T00:00:00Z',
  }),
  'says that its job cleans up': () => ({ [ANNOTATIONS.ending]: 'true' }),
  'names the workflow of another job': (other) => ({ [ANNOTATIONS.workflowId]: other }),
  'names no workflow': () => ({ [ANNOTATIONS.workflowId]: null }),
  'names another run': () => ({ [ANNOTATIONS.firstRunId]: '00000000-0000-0000-0000-000000000000' }),
  'names another cluster': () => ({ [ANNOTATIONS.clusterId]: 'another' }),
  'names other pods': () => ({
    [ANNOTATIONS.decidingPod]: 'nobody-0',
    [ANNOTATIONS.mainPod]: 'nobody-0',
    [ANNOTATIONS.milestones]: '1,2,3',
    [ANNOTATIONS.services]: 'nobody',
  }),
  'names another container': () => ({ [ANNOTATIONS.mainContainer]: 'worker=sidecar,master=sidecar' }),
  'loses its kind and its host list': () => ({ [ANNOTATIONS.kind]: null, [ANNOTATIONS.hostList]: null }),
  'has a question of the future': () => ({ [ANNOTATIONS.asked]: '4102444800000' }),
  'has an answered digest': () => ({ [ANNOTATIONS.digest]: 'nothing-like-a-hash' }),
};

const ANCHOR_DATA: Readonly<Record<string, Edit>> = {
  'has another job': { job: '{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"x"}' },
  'has no job': { job: null },
  'has a status of somebody': { status: '{"phase":"Completed","timeline":[' },
};

/** Of its status. No end: a bridge believes that until it knows better, and starts nothing. */
const RESOURCE_EDITS: Readonly<Record<string, object | null>> = {
  'loses its status': null,
  'says that it waits': { phase: 'Pending', reason: 'QuotaExceeded', conditions: [] },
};

export const EDITS: readonly string[] = [
  ...Object.keys(POD_EDITS).map((edit) => `edit: a pod ${edit}`),
  ...[...Object.keys(ANCHOR_LABELS), ...Object.keys(ANCHOR_ANNOTATIONS), ...Object.keys(ANCHOR_DATA)].map(
    (edit) => `edit: an anchor ${edit}`,
  ),
  ...Object.keys(RESOURCE_EDITS).map((edit) => `edit: a resource ${edit}`),
];

const OF_WHAT = { pod: 3, labels: 1, annotations: 2, data: 1, resource: 1 } as const;

/** Somebody edits a pod of a job, its anchor, or the status of its custom resource. */
export function editAsStranger(chaos: ChaosRun, chance: Chance): Promise<string | undefined> {
  switch (chance.weighed(OF_WHAT)) {
    case 'pod':
      return editPod(chaos, chance);
    case 'labels':
      return editAnchor(chaos, chance, labelsOf);
    case 'annotations':
      return editAnchor(chaos, chance, annotationsOf);
    case 'data':
      return editAnchor(chaos, chance, dataOf);
    case 'resource':
      return editResource(chaos, chance);
  }
}

async function editResource({ jobs, control, note }: ChaosRun, chance: Chance): Promise<string | undefined> {
  const { name, resource } = chance.pick(jobs.filter((job) => job.resource)) ?? {};
  const edit = chance.pick(Object.keys(RESOURCE_EDITS))!;
  if (!name || !resource) return undefined;
  note(`${name}: its resource ${edit}, by a stranger`);
  const { cluster, namespace } = control.stage;
  const target = { namespace, name, subresource: 'status' } as const;
  const done = await cluster.patch(resource, target, { status: RESOURCE_EDITS[edit] }).catch(unlessMissed);
  return done && `edit: a resource ${edit}`;
}

async function editPod({ jobs, control, note }: ChaosRun, chance: Chance): Promise<string | undefined> {
  const job = chance.pick(jobs);
  const pod = chance.pick(job ? control.ledger.live(job.name) : []);
  const other = chance.pick(jobs);
  const edit = chance.pick(Object.keys(POD_EDITS))!;
  if (!pod || !other) return undefined;
  const { name, uid } = pod.metadata;
  note(`${name} ${edit}, by a stranger`);
  const metadata = { uid, labels: POD_EDITS[edit]!(other.name) };
  const { cluster, namespace } = control.stage;
  const done = await cluster.patch(PODS, { namespace, name }, { metadata }).catch(unlessMissed);
  return done && `edit: a pod ${edit}`;
}

interface AnchorEdit {
  readonly edit: string;
  readonly patch: object;
}

type ChooseEdit = (chance: Chance, otherWorkflow: string) => AnchorEdit;

const labelsOf: ChooseEdit = (chance) => {
  const edit = chance.pick(Object.keys(ANCHOR_LABELS))!;
  return { edit, patch: { metadata: { labels: ANCHOR_LABELS[edit] } } };
};

const annotationsOf: ChooseEdit = (chance, otherWorkflow) => {
  const edit = chance.pick(Object.keys(ANCHOR_ANNOTATIONS))!;
  return { edit, patch: { metadata: { annotations: ANCHOR_ANNOTATIONS[edit]!(otherWorkflow) } } };
};

const dataOf: ChooseEdit = (chance) => {
  const edit = chance.pick(Object.keys(ANCHOR_DATA))!;
  return { edit, patch: { data: ANCHOR_DATA[edit] } };
};

async function editAnchor(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
  choose: ChooseEdit,
): Promise<string | undefined> {
  const job = chance.pick(jobs);
  const other = chance.pick(jobs);
  if (!job || !other) return undefined;
  const { edit, patch } = choose(chance, control.jobs.get(other.name)!.workflowId);
  note(`${job.name}: its anchor ${edit}, by a stranger`);
  const { cluster, namespace } = control.stage;
  const target = { namespace, name: anchorNameOf(job.name) };
  const done = await cluster.patch(CONFIG_MAPS, target, patch).catch(unlessMissed);
  return done && `edit: an anchor ${edit}`;
}
