import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, NAMESPACES } from '../../contracts/kubernetes.ts';
import { asFields } from '../../language/fields.ts';
import { DeniedError } from '../http/denied-error.ts';
import { answeredByCluster } from './answered-by-cluster.ts';
import type { Person } from './person.ts';
import { Remembered } from './remembered.ts';

/** What somebody wants to do, in the terms of Kubernetes: `create` on `jobs/stop` in namespace `ml`. */
export interface Need {
  readonly verb: 'get' | 'list' | 'create';
  /** `jobs`, or a part of them, e.g. `jobs/log`. */
  readonly resource: string;
  /** Absent for all namespaces together. */
  readonly namespace?: string;
}

export interface Rights {
  may(person: Person, need: Need): Promise<boolean>;
  /** Returns the namespaces whose jobs a person may list; undefined for all. */
  namespacesOf(person: Person): Promise<readonly string[] | undefined>;
}

/** Who may reach the console may do what its process may. */
export const ALL_RIGHTS: Rights = { may: async () => true, namespacesOf: async () => undefined };

/** Throws `DeniedError` if a person may not do something. */
export async function refuseUnlessAllowed(rights: Rights, person: Person, need: Need): Promise<void> {
  if (await rights.may(person, need)) return;
  const { verb, resource, namespace } = need;
  const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
  throw new DeniedError('NoRight', `${person.name} may not ${verb} ${resource} in ${where}.`, {
    remedy: `A Role with verb ${verb} on ${resource} in API group ${GROUP} allows it (docs/console.md).`,
  });
}

const REVIEWS = {
  ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
  ...{ plural: 'subjectaccessreviews', namespaced: false },
};

/** The group of a resource that exists for rights alone: no definition of it is needed. */
const GROUP = 'signalbox.dev';
const ALLOWED_MS = 60_000;
const REFUSED_MS = 5_000;
const AT_ONCE = 16;

/** Rights as Roles of the cluster grant them. Without an answer of the cluster nobody may do anything. */
export class ClusterRights implements Rights {
  readonly #cluster: () => Promise<ClusterClient>;
  readonly #served: readonly string[] | undefined;
  readonly #answers = new Remembered<boolean>({ ms: (isAllowed) => (isAllowed ? ALLOWED_MS : REFUSED_MS) });
  readonly #namespaces = new Remembered<readonly string[]>({ ms: () => ALLOWED_MS / 4 });

  /** `served`: the namespaces of this installation, if it does not serve all. */
  constructor(cluster: () => Promise<ClusterClient>, served: readonly string[] | undefined) {
    this.#cluster = cluster;
    this.#served = served;
  }

  may(person: Person, { verb, resource: full, namespace }: Need): Promise<boolean> {
    const [resource, subresource] = full.split('/');
    const attributes = { group: GROUP, verb, resource, subresource, namespace };
    return this.#answers.get(JSON.stringify([person, attributes]), () =>
      answeredByCluster('access', async () => {
        const cluster = await this.#cluster();
        const review = await cluster.create<KubeObject>(REVIEWS, {
          ...{ apiVersion: REVIEWS.apiVersion, kind: REVIEWS.kind, metadata: { name: '' } },
          spec: { user: person.name, groups: person.groups, resourceAttributes: attributes },
        });
        return asFields(review.status).allowed === true;
      }),
    );
  }

  async namespacesOf(person: Person): Promise<readonly string[] | undefined> {
    if (await this.may(person, { verb: 'list', resource: 'jobs' })) return this.#served;
    const { default: pMap } = await import('p-map');
    const isAllowed = (namespace: string) => this.may(person, { verb: 'list', resource: 'jobs', namespace });
    const all = await this.#namespaces.get('', () => this.#all());
    const allowed = await pMap(all, isAllowed, { concurrency: AT_ONCE });
    return all.filter((_, index) => allowed[index]);
  }

  async #all(): Promise<readonly string[]> {
    if (this.#served) return this.#served;
    const { items } = await (await this.#cluster()).list(NAMESPACES, { metadataOnly: true });
    return items.map(({ metadata }) => metadata.name);
  }
}
