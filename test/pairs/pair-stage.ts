import { InvalidManifestError } from '../../client/errors/errors.ts';
import { renderJob } from '../../client/manifests/offline/render.ts';
import { servesGang } from '../../client/manifests/offline/served-gangs.ts';
import { readSituation } from '../../client/use-cases/why/situation-of.ts';
import { whyManifest } from '../../client/use-cases/why/why-manifest.ts';
import { ApiError } from '../../cluster/errors.ts';
import { Reading } from '../../cluster/reading.ts';
import {
  CONFIG_MAPS,
  type Condition,
  type KubeObject,
  NAMESPACES,
  NODES,
  type Node,
  POD_GROUPS,
  PODS,
  type Pod,
  RESOURCE_CLAIMS,
  RESOURCE_QUOTAS,
  type Resource,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  VOLUME_CLAIMS,
  VOLUMES,
} from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { gatesOf, schedulerOf } from '../../contracts/pod.ts';
import type { WaitAnswer } from '../../explain/answer.ts';
import { explainSituation } from '../../explain/explain.ts';
import { asFields, valueAt } from '../../language/fields.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { eventually } from '../eventually.ts';
import type { Manifest } from '../scenarios/manifests.ts';
import { type ControlPlane, unlessGone } from './control-plane.ts';
import { refusedByKubelet } from './kubelet.ts';
import type { ClusterObjects } from './objects-of-cluster.ts';
import type { Found, Outcome } from './verdict.ts';

/** The cluster of one pair after the other. */
export class PairStage {
  readonly #plane: ControlPlane;
  readonly #namespace: string;
  #objects: ClusterObjects;
  /** All that the cluster began with. */
  readonly #others: readonly Pod[];
  #heartbeat: NodeJS.Timeout | undefined;
  /** What quotas count without the jobs. */
  #used = new Map<string, string>();

  constructor(plane: ControlPlane, namespace: string, objects: ClusterObjects) {
    this.#plane = plane;
    this.#namespace = namespace;
    this.#objects = objects;
    this.#others = objects.others;
  }

  async build(): Promise<void> {
    const { create, cluster } = this.#plane;
    const { namespaces, nodes, volumes, rest } = this.#objects;
    await Promise.all([
      ...namespaces.map(create),
      ...nodes.map((node) => create(beating(node))),
      ...volumes.map(create),
    ]);
    await eventually(
      'the nodes are as wanted',
      async () => {
        const found = (await cluster.list(NODES)).items;
        return found.length === nodes.length && found.every((node) => isAsWanted(node));
      },
      QUICKLY,
    );
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    await this.#makeOthers();
    await Promise.all(rest.filter(({ kind }) => kind !== 'ResourceQuota').map(create));
    const bound = rest.filter((one) => isClaim(one) && this.#bindsAtOnce(one));
    await eventually(
      'claims are bound',
      async () => {
        const claims = (await cluster.list(VOLUME_CLAIMS, { namespace: this.#namespace })).items;
        return bound.every(({ metadata }) =>
          claims.some((claim) => claim.metadata.name === metadata.name && isBound(claim)),
        );
      },
      QUICKLY,
    );
    await Promise.all(rest.filter(({ kind }) => kind === 'ResourceQuota').map(create));
    this.#used = await this.#quotasCounted();
  }

  /** The node controller gives a node up after 50 s without a sign of life. */
  async #beat(): Promise<void> {
    const conditions = [{ type: 'Ready', lastHeartbeatTime: heartbeatTime() }];
    await Promise.all(
      this.#objects.nodes.map(({ metadata: { name } }) =>
        this.#plane.cluster
          .patch(NODES, { name, subresource: 'status' }, { status: { conditions } }, 'strategic')
          .catch(unlessGone),
      ),
    );
  }

  async #makeOthers(): Promise<void> {
    const { create, cluster } = this.#plane;
    const { others } = this.#objects;
    const nodes = (await cluster.list(NODES)).items;
    const there = await this.#otherPods();
    const missing = others.filter(
      ({ metadata }) =>
        !there.some(
          (pod) => pod.metadata.name === metadata.name && pod.metadata.namespace === metadata.namespace,
        ),
    );
    await Promise.all(missing.map((pod) => create(ownedByNode(pod, nodes))));
    const leaving = missing.filter(({ spec }) => Number(spec.terminationGracePeriodSeconds) > 0);
    await Promise.all(
      leaving.map(({ metadata: { namespace, name } }) => cluster.delete(PODS, namespace, name)),
    );
  }

  async #otherPods(): Promise<readonly Pod[]> {
    return (await this.#plane.cluster.list(PODS)).items.filter(
      ({ metadata }) => metadata.labels?.[LABELS.job] === undefined,
    );
  }

  /** Undefined if the manifest itself is refused. */
  async find(manifest: Manifest): Promise<Found | undefined> {
    const answer = await this.#ask(manifest);
    return answer && { answer, now: await this.make(manifest, true) };
  }

  async #ask(manifest: Manifest): Promise<WaitAnswer | undefined> {
    const { cluster } = this.#plane;
    try {
      return await whyManifest({ cluster: async () => cluster, lanes: undefined }, manifest);
    } catch (error) {
      if (error instanceof InvalidManifestError) return undefined;
      throw error;
    }
  }

  /** Makes the objects of the job, waits for what becomes of its pods, and removes them. */
  async make(manifest: Manifest, withLive: boolean): Promise<Outcome> {
    const { cluster, create } = this.#plane;
    const { name } = manifest.metadata;
    const { job, gang, objects } = await renderJob(manifest, { serves: servesGang(cluster) });
    const refused: string[] = [];
    const made = this.#used.size > 0 ? [anchorOf(manifest), ...objects] : objects.filter(isPodOrGroup);
    for (const object of made) {
      await create(object).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        refused.push(error.detail);
      });
    }
    const wanted = objects.filter(({ kind }) => kind === 'Pod').length;
    const pods = await this.#settled(name);
    const chosen = await this.#chosenClaims();
    const waiting = pods.filter(({ spec }) => !spec.nodeName);
    const awaitsVolume = waiting.filter((pod) => isAwaitingVolume(pod, chosen));
    const nodes = (await cluster.list(NODES)).items;
    const onNodes = pods.filter(({ spec }) => nodes.some((node) => node.metadata.name === spec.nodeName));
    const reading = new Reading(cluster);
    const live = { anchorUid: 'anchor', attempt: 1, pods, own: PENDING };
    const outcome: Outcome = {
      refused,
      pods: wanted,
      placed: onNodes.length + awaitsVolume.length,
      awaitsVolume: awaitsVolume.length,
      said: waiting.flatMap((pod) => conditionOf(pod, 'PodScheduled')?.message ?? []),
      preempted: this.#objects.others.length - (await this.#otherPods()).length,
      lacking: [
        ...(await this.#lackingOf(pods, objects)),
        ...this.#refusedByKubelets(nodes, pods, { rendered: objects, others: await this.#otherPods() }),
      ],
      ...(withLive && waiting.length > 0
        ? {
            live: explainSituation(
              await readSituation(reading, {
                ...{ job, gang, live },
                objects: renderAttempt(job, { number: 1, anchorUid: 'anchor' }, { gang, asGang: true }),
              }),
            ),
          }
        : {}),
    };
    await this.#removeJob(name, new Set(made.map(({ kind }) => kind)));
    return outcome;
  }

  /** Waits until the scheduler has nothing more to do, and returns the pods of the job. */
  async #settled(job: string): Promise<readonly Pod[]> {
    const { cluster, queues } = this.#plane;
    const selection = { namespace: this.#namespace, labelSelector: `${LABELS.job}=${job}` };
    return eventually(
      `the scheduler has done with ${job}`,
      async () => {
        const pods = (await cluster.list(PODS, selection)).items;
        const chosen = await this.#chosenClaims();
        const unplaced = pods.filter(
          ({ spec }) => !spec.nodeName && schedulerOf(spec) === 'default-scheduler',
        );
        const waiting = unplaced.filter((pod) => !isAwaitingVolume(pod, chosen));
        if (unplaced.length === 0) return pods;
        if (waiting.length === 0) return (await queues()).busy === 0 && pods;
        const open = waiting.find((pod) => !isDecided(pod));
        if (open) throw new Error(`${open.metadata.name}: ${JSON.stringify(open.status)}`);
        if (waiting[0]!.spec.schedulingGroup) return (await this.#isGroupDecided(waiting)) && pods;
        if (this.#objects.nodes.length === 0) return pods;
        const { busy, idle } = await queues();
        if (busy > 0 || idle < waiting.length)
          throw new Error(`${busy} pods busy, ${idle} of ${waiting.length} idle`);
        return pods;
      },
      QUICKLY,
    );
  }

  /** Claims for which the scheduler has chosen a node, and that nobody provisions a volume for. */
  async #chosenClaims(): Promise<ReadonlySet<string>> {
    if (!this.#objects.rest.some(isClaim)) return new Set();
    const claims = (await this.#plane.cluster.list(VOLUME_CLAIMS, { namespace: this.#namespace })).items;
    return new Set(
      claims.filter((claim) => !isBound(claim) && isChosen(claim)).map(({ metadata }) => metadata.name),
    );
  }

  /** Whether people made a volume for this claim alone. */
  #bindsAtOnce({ metadata: { name } }: KubeObject): boolean {
    return this.#objects.volumes.some(({ spec }) => valueAt(spec, 'claimRef.name') === name);
  }

  /** The scheduler tries a gang for ever; but only once all of it is there does it say anything of the group. */
  async #isGroupDecided(waiting: readonly Pod[]): Promise<boolean> {
    if (waiting.every(isHeldBack)) {
      const { busy, idle } = await this.#plane.queues();
      return busy === 0 && idle === waiting.length;
    }
    if (waiting.some((pod) => !conditionOf(pod, 'PodScheduled'))) return false;
    const { podGroupName } = waiting[0]!.spec.schedulingGroup!;
    const group: KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } } =
      await this.#plane.cluster.get(POD_GROUPS, this.#namespace, podGroupName);
    return conditionOf(group, 'PodGroupScheduled') !== undefined;
  }

  /** Pods that named their node before any scheduler saw them. */
  #refusedByKubelets(
    nodes: readonly Node[],
    pods: readonly Pod[],
    { rendered, others }: { readonly rendered: readonly KubeObject[]; readonly others: readonly Pod[] },
  ): string[] {
    const naming = new Set(
      rendered.filter(({ spec }) => asFields(spec).nodeName).map(({ metadata }) => metadata.name),
    );
    const named = pods.filter(({ metadata }) => naming.has(metadata.name));
    const besides = [...others, ...pods.filter(({ metadata }) => !naming.has(metadata.name))];
    return nodes.flatMap((node) =>
      refusedByKubelet(
        node,
        named.filter(({ spec }) => spec.nodeName === node.metadata.name),
        besides,
      ),
    );
  }

  /** What a kubelet looks for before it starts a container; and accounts, without which pods are refused by clusters with kubelets. */
  async #lackingOf(pods: readonly Pod[], rendered: readonly KubeObject[]): Promise<string[]> {
    const named = pods.flatMap(({ spec }): [Resource, unknown][] => [
      [SERVICE_ACCOUNTS, spec.serviceAccountName],
      ...(spec.volumes ?? []).flatMap((volume): [Resource, unknown][] => [
        [CONFIG_MAPS, valueAt(volume, 'configMap.name')],
        [SECRETS, valueAt(volume, 'secret.secretName')],
      ]),
    ]);
    const isMade = ({ kind }: Resource, name: string) =>
      rendered.some((object) => object.kind === kind && object.metadata.name === name) ||
      name.startsWith(pods[0]!.metadata.labels![LABELS.job]!);
    const missing = await Promise.all(
      named.map(async ([resource, name]) =>
        typeof name !== 'string' ||
        isMade(resource, name) ||
        (await this.#plane.cluster.find(resource, this.#namespace, name))
          ? []
          : [`${resource.kind} ${name}`],
      ),
    );
    return [...new Set(missing.flat())];
  }

  async #removeJob(job: string, kinds: ReadonlySet<string>): Promise<void> {
    const { cluster } = this.#plane;
    const selection = { namespace: this.#namespace, labelSelector: `${LABELS.job}=${job}` };
    await cluster.deleteCollection(PODS, selection, { gracePeriodSeconds: 0 });
    await Promise.all(
      [CONFIG_MAPS, SERVICES, SECRETS, POD_GROUPS]
        .filter(({ kind }) => kinds.has(kind))
        .map((resource) => cluster.deleteCollection(resource, selection).catch(unlessGone)),
    );
    await eventually(
      `nothing is left of ${job}`,
      async () => {
        const pods = (await cluster.list(PODS, { namespace: this.#namespace })).items;
        const left = pods.find(({ metadata }) => metadata.labels?.[LABELS.job]);
        if (left) throw new Error(left.metadata.name);
        const claims = (await cluster.list(RESOURCE_CLAIMS, { namespace: this.#namespace })).items;
        const held = claims.find(
          ({ metadata, status }) => metadata.ownerReferences || asFields(status).allocation,
        );
        if (held) throw new Error(`ResourceClaim ${held.metadata.name}`);
        return true;
      },
      QUICKLY,
    );
    await this.#unbindClaims();
    await this.#makeOthers();
    await this.#quotasGivenBack();
  }

  /** Claims that were bound with a pod of the job are made anew. */
  async #unbindClaims(): Promise<void> {
    const { cluster, create } = this.#plane;
    const { rest, volumes } = this.#objects;
    const later = rest.filter((one) => isClaim(one) && !this.#bindsAtOnce(one));
    if (later.length === 0) return;
    const claims = (await cluster.list(VOLUME_CLAIMS, { namespace: this.#namespace })).items;
    const changed = claims.filter(
      (claim) =>
        later.some(({ metadata }) => metadata.name === claim.metadata.name) &&
        (asFields(claim.spec).volumeName || isChosen(claim)),
    );
    for (const { metadata, spec } of changed) {
      const volume = volumes.find((one) => one.metadata.name === asFields(spec).volumeName);
      await cluster.delete(VOLUME_CLAIMS, this.#namespace, metadata.name);
      await untilGone(this.#plane, VOLUME_CLAIMS, this.#namespace, metadata.name);
      if (volume) {
        await cluster.delete(VOLUMES, undefined, volume.metadata.name);
        await untilGone(this.#plane, VOLUMES, undefined, volume.metadata.name);
        await create(volume);
      }
      await create(later.find((one) => one.metadata.name === metadata.name)!);
    }
  }

  /** Waits until each quota has counted, and returns what it counts. */
  async #quotasCounted(): Promise<Map<string, string>> {
    const wanted = this.#objects.rest.filter(({ kind }) => kind === 'ResourceQuota');
    if (wanted.length === 0) return new Map();
    return eventually(
      'quotas have counted',
      async () => {
        const quotas = (await this.#plane.cluster.list(RESOURCE_QUOTAS, { namespace: this.#namespace }))
          .items;
        const isCounted = ({ status }: KubeObject) => asFields(status).hard !== undefined;
        return (
          quotas.length === wanted.length &&
          quotas.every(isCounted) &&
          new Map(quotas.map((quota) => [quota.metadata.name, usedOf(quota)]))
        );
      },
      QUICKLY,
    );
  }

  async #quotasGivenBack(): Promise<void> {
    if (this.#used.size === 0) return;
    await eventually(
      'quotas have what the job had',
      async () => {
        for (const [name, used] of await this.#quotasCounted())
          if (used !== this.#used.get(name)) throw new Error(`${name}: ${used}, not ${this.#used.get(name)}`);
        return true;
      },
      QUICKLY,
    );
  }

  /** Removes all but the nodes, what is theirs, what the jobs name, and the pods that stay. */
  async empty(stays: (pod: Pod) => boolean = () => false): Promise<void> {
    const { cluster } = this.#plane;
    const wanted = this.#others.filter((pod) => pod.metadata.ownerReferences || stays(pod));
    const isWanted = ({ metadata: { namespace, name } }: Pod) =>
      wanted.some(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
    const goes = (await this.#otherPods()).filter((pod) => !isWanted(pod));
    await Promise.all(
      goes.map(({ metadata: { namespace, name } }) =>
        cluster.delete(PODS, namespace, name, { gracePeriodSeconds: 0 }).catch(unlessGone),
      ),
    );
    const noise = this.#objects.rest.filter(({ metadata }) => metadata.name.startsWith('noise-'));
    await Promise.all(
      noise.map(({ metadata }) =>
        cluster.delete(CONFIG_MAPS, this.#namespace, metadata.name).catch(unlessGone),
      ),
    );
    this.#objects = { ...this.#objects, others: wanted };
    await eventually('the others are gone', async () => (await this.#otherPods()).every(isWanted), QUICKLY);
    await this.#makeOthers();
    await this.#quotasFollow(goes);
  }

  async #quotasFollow(gone: readonly Pod[]): Promise<void> {
    if (this.#used.size === 0) return;
    const left = (await this.#otherPods()).filter(
      ({ metadata }) => metadata.namespace === this.#namespace,
    ).length;
    const were = gone.filter(({ metadata }) => metadata.namespace === this.#namespace).length;
    await eventually(
      'quotas follow',
      async () => {
        this.#used = await this.#quotasCounted();
        for (const used of this.#used.values()) {
          const fields = JSON.parse(used) as Record<string, string>;
          const pods = fields.pods ?? fields['count/pods'];
          if (were > 0 && pods !== undefined && Number(pods) > left) return false;
          if (
            were > 0 &&
            left === 0 &&
            Object.entries(fields).some(([name, value]) => /cpu|memory|gpu/.test(name) && value !== '0')
          )
            return false;
        }
        return true;
      },
      QUICKLY,
    );
  }

  async remove(): Promise<void> {
    clearInterval(this.#heartbeat);
    const { cluster, resourceOf } = this.#plane;
    const { namespaces, nodes, volumes, rest } = this.#objects;
    const pods = (await cluster.list(PODS)).items;
    await Promise.all(
      pods.map(({ metadata: { namespace, name } }) =>
        cluster.delete(PODS, namespace, name, { gracePeriodSeconds: 0 }).catch(unlessGone),
      ),
    );
    const slices = rest.filter(({ kind }) => kind === 'ResourceSlice');
    await Promise.all([
      ...[...slices, ...volumes].map(async (object) =>
        cluster.delete(await resourceOf(object), undefined, object.metadata.name).catch(unlessGone),
      ),
      ...nodes.map(({ metadata }) => cluster.delete(NODES, undefined, metadata.name).catch(unlessGone)),
      ...namespaces.map(({ metadata }) => cluster.delete(NAMESPACES, undefined, metadata.name)),
    ]);
    await eventually(
      'the cluster is empty',
      async () => {
        const [left, stays] = await Promise.all([cluster.list(PODS), cluster.list(NODES)]);
        return left.items.length + stays.items.length === 0;
      },
      QUICKLY,
    );
  }
}

/** The scheduler does not look at the pod: it waits for other members, or for a claim or a gate. */
function isHeldBack(pod: Pod): boolean {
  const said = conditionOf(pod, 'PodScheduled');
  return said === undefined || gatesOf(pod.spec).length > 0 || WAITS_FOR_OTHERS.test(said.message ?? '');
}

const WAITS_FOR_OTHERS = /waiting for minCount pods from a gang/;

const HEARTBEAT_MS = 10_000;

/** A bound for a broken system. */
const QUICKLY = { withinMs: 60_000 };

const PENDING = { phase: 'Pending', state: 'Pending.Scheduling', causes: [] } as const;

const anchorOf = ({ metadata: { name, namespace } }: Manifest): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name: `${name}-signalbox`, namespace, labels: { [LABELS.job]: name } },
});

/** A node without one would be judged by the last one of its name. */
const beating = (node: Node): Node => ({
  ...node,
  status: {
    ...node.status,
    conditions: node.status!.conditions!.map((condition) => ({
      ...condition,
      lastHeartbeatTime: heartbeatTime(),
    })),
  },
});

const heartbeatTime = () => new Date().toISOString().replace(/\.\d+/, '');

const ownedByNode = (pod: Pod, nodes: readonly Node[]): Pod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ...(pod.metadata.ownerReferences
      ? {
          ownerReferences: pod.metadata.ownerReferences.map((owner) => ({
            ...owner,
            uid: nodes.find(({ metadata }) => metadata.name === owner.name)?.metadata.uid ?? '',
          })),
        }
      : {}),
  },
});

/** Ready nodes lose the taint of new ones, and the node controller taints the others. */
function isAsWanted({ spec, status }: Node): boolean {
  const keys = (spec?.taints ?? []).map(({ key }) => key);
  const isReady = conditionOf({ status }, 'Ready')?.status === 'True';
  if (spec?.unschedulable && !keys.includes('node.kubernetes.io/unschedulable')) return false;
  return isReady !== keys.includes('node.kubernetes.io/not-ready');
}

const isClaim = ({ kind }: KubeObject) => kind === VOLUME_CLAIMS.kind;

/** By a scheduler, which then waits for the volume. */
const isChosen = ({ metadata: { annotations } }: KubeObject) => annotations?.[SELECTED_NODE] !== undefined;

/** It has a node as far as the scheduler is concerned, and says nothing more. */
const isAwaitingVolume = (pod: Pod, chosen: ReadonlySet<string>): boolean =>
  !pod.spec.nodeName &&
  conditionOf(pod, 'PodScheduled') === undefined &&
  (pod.spec.volumes ?? []).some((volume) =>
    chosen.has(String(valueAt(volume, 'persistentVolumeClaim.claimName'))),
  );

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

const isBound = ({ status }: KubeObject) => asFields(status).phase === 'Bound';

const usedOf = ({ status }: KubeObject) => {
  const used = asFields(asFields(status).used);
  return JSON.stringify(Object.fromEntries(Object.entries(used).sort()));
};

/** Where no quota counts the others, they decide nothing. */
const isPodOrGroup = ({ kind }: KubeObject) => kind === 'Pod' || kind === 'PodGroup';

/**
 * A scheduler has said no, and makes no room for the pod; or it may not look at it, of which it may say nothing. After an error
 * it tries again.
 */
function isDecided(pod: Pod): boolean {
  const said = conditionOf(pod, 'PodScheduled');
  if (!said && (pod.spec.resourceClaims || pod.spec.schedulingGroup)) return true;
  const isNominated = Boolean(pod.status?.nominatedNodeName);
  return (
    gatesOf(pod.spec).length > 0 ||
    (said?.status === 'False' && said.reason !== 'SchedulerError' && !isNominated)
  );
}

async function untilGone(
  { cluster }: ControlPlane,
  resource: Resource,
  namespace: string | undefined,
  name: string,
): Promise<void> {
  await eventually(
    `${resource.kind} ${name} is gone`,
    async () => !(await cluster.find(resource, namespace, name)),
    QUICKLY,
  );
}
