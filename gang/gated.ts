import { formatGangSize, type GangSize } from '../contracts/gated-gang.ts';
import { ANNOTATIONS, GANG_GATE, LABELS } from '../contracts/labels.ts';
import { isCreatedLater } from '../contracts/roles.ts';
import type { Role, TrainingJob } from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';
import { shapesOf, uncheckedTerms } from '../explain/shape.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { rolePath } from '../frameworks/model/framework.ts';
import { asFields } from '../language/fields.ts';
import { type GangAdapter, NO_TIERS } from './gang.ts';

/** Any scheduler: signalbox holds the pods back by a scheduling gate until there is room for all of them. */
export const gated: GangAdapter = {
  provider: 'gated',
  ignores: {
    queue: 'gated gangs have no queues',
    priorityClass: 'gated gangs take priorities from the pods',
    minResources: 'for gated gangs signalbox counts what the pods ask for',
    scheduleTimeoutSeconds: 'gated pods hold nothing while they wait',
    networkTopology: NO_TIERS,
  },
  refuses: (job) => job.roles.flatMap((role) => faultsOf(job, role)),
  renderGroup: () => undefined,
  membership: () => ({}),
  gate: (job, role) =>
    isCreatedLater(job.plan, role)
      ? undefined
      : {
          labels: { [LABELS.gated]: formatGangSize(sizeOf(job)) },
          ...(job.plan.policy?.gang?.lift === 'onQuota'
            ? { annotations: { [ANNOTATIONS.lift]: 'onQuota' } }
            : {}),
          spec: { schedulingGates: [{ name: GANG_GATE }] },
        },
  readGroup: () => ({ scheduled: 'Unknown' }),
};

function sizeOf({ gang, roles, plan }: TrainingJob): GangSize {
  const members = roles.filter(({ name }) => !isCreatedLater(plan, name));
  const total = members.reduce((sum, { replicas }) => sum + replicas, 0);
  return { min: Math.min(gang.minMember, total), total };
}

/** What decides on the place of a pod and cannot be checked before its gate is lifted. */
function faultsOf(job: TrainingJob, { name, template }: Role): readonly Fault[] {
  const { spec } = template;
  const [shape] = shapesOf([{ role: name, spec, isCreated: false }]);
  const path = `${rolePath(frameworkOf(job), name)}.template.spec`;
  const claimed = (spec.volumes ?? []).flatMap((volume, index) =>
    asFields(volume).ephemeral ? [{ at: `volumes[${index}].ephemeral`, got: 'a claim for each pod' }] : [],
  );
  const terms = uncheckedTerms(shape!).map((term) => ({ at: FIELDS[term] ?? term, got: term }));
  const uncomputed = [...terms, ...claimed].map(({ at, got }) => ({
    path: `${path}.${at}`,
    expected: EXPECTED,
    got,
  }));
  const { nodeName } = spec;
  if (!nodeName || isCreatedLater(job.plan, name)) return uncomputed;
  return [...uncomputed, { path: `${path}.nodeName`, expected: EXPECTED_NODE, got: nodeName }];
}

const EXPECTED =
  'pods whose place signalbox can compute, because a gated gang starts only where all of it fits';

const EXPECTED_NODE =
  'no node, because Kubernetes takes no pod that has a node and the gate of a gated gang; use nodeSelector';

/** Where a pod has what is not computed. */
const FIELDS: Readonly<Record<string, string>> = {
  podAffinity: 'affinity.podAffinity',
  podAntiAffinity: 'affinity.podAntiAffinity',
};
