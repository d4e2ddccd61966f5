import { parse } from 'yaml';
import { findOriginalOperators } from '../../bridge/find-operators.ts';
import { findBridgedJobs, namedJobs } from '../../bridge/unserved-resources.ts';
import { JOB_RESOURCES } from '../../client/manifests/offline/definitions.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { listAll } from '../../cluster/list-all.ts';
import {
  ADMISSION_POLICIES_OF_CLUSTER,
  CONFIG_MAPS,
  KUEUE_WORKLOADS,
  VALIDATING_WEBHOOKS,
} from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { asError, errorMessage } from '../../language/error-message.ts';
import { valueAt } from '../../language/fields.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning, fault } = findingsOf('bridge');

type Looked = Pick<ClusterClient, 'serves' | 'list' | 'find'>;

/** Looks at what a bridge meets in the cluster: definitions, other operators, policies, Kueue. */
export async function* bridgeFindings(client: Looked, settings: Settings): AsyncGenerator<Finding> {
  yield await found('definitions', () => definitionFinding(client));
  const operators = await findOriginalOperators(client).catch(asError);
  yield operators instanceof Error ? cannotSee('operators', operators) : operatorFinding(operators, settings);
  yield* await webhookFindings(client, operators instanceof Error || operators.length > 0);
  yield await found('policies', () => policyFinding(client, settings));
  yield* await kueueFindings(client);
}

/**
 * Looks whether an operator or a bridge runs the jobs that were applied, for people: nothing, if there are none or they may not be listed.
 * `leader`: what the lease of the bridge says.
 */
export async function appliedFindings(
  client: Looked,
  {
    bridgeTakes: takes,
    namespaces,
  }: Pick<Settings, 'bridgeTakes'> & { readonly namespaces: ServedNamespaces },
  leader: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const jobs = await findBridgedJobs(client, { takes, namespaces }).catch(() => []);
  if (jobs.length === 0) return [];
  const findings = await leader();
  if (findings.every(({ check, state }) => check !== 'lease' || state !== 'fault')) return findings;
  return [
    fault(
      'applied jobs',
      `no bridge runs ${namedJobs(jobs)}: ${findings[0]!.message}`,
      '`signalbox up` runs one, unless SIGNALBOX_BRIDGE is false; so does `signalbox bridge`, and in the cluster the chart with jobs.customResources.',
    ),
  ];
}

const found = (check: string, look: () => Promise<Finding>): Promise<Finding> =>
  look().catch((error: unknown) => cannotSee(check, error));

const cannotSee = (check: string, error: unknown) =>
  warning(
    check,
    `cannot be found out: ${errorMessage(error)}`,
    'Ask with more rights; those of the bridge are in charts/signalbox/access/bridge/bridge.yaml.',
  );

async function definitionFinding(client: Looked): Promise<Finding> {
  const served = await Promise.all(JOB_RESOURCES.map((resource) => client.serves(resource)));
  const missing = JOB_RESOURCES.filter((_, index) => !served[index]).map(
    ({ apiVersion, kind }) => `${apiVersion} ${kind}`,
  );
  if (missing.length === 0) return ok('definitions', 'the cluster serves every kind of job');
  const say = missing.length === JOB_RESOURCES.length ? fault : warning;
  return say(
    'definitions',
    `the cluster does not serve ${missing.join(', ')}`,
    '`signalbox crds | kubectl apply -f -` defines them.',
  );
}

function operatorFinding(
  operators: Awaited<ReturnType<typeof findOriginalOperators>>,
  { bridgeTakes }: Settings,
): Finding {
  if (operators.length === 0) return ok('operators', 'no original operator runs');
  const text = operators.map(({ name, found, kinds, namespace }) => {
    const where = namespace ? ` in namespace ${namespace}` : '';
    return `${name} runs (${found}) and takes each ${kinds.join(', ')}${where}`;
  });
  return warning(
    'operators',
    `${text.join('; ')}: the bridge leaves these to it${bridgeTakes === 'own' ? ', and takes only jobs of its own' : ''}, but for jobs whose managedBy is signalbox.dev/bridge`,
    'If signalbox is to take its place, scale it to 0 and delete its webhooks (docs/migrating.md).',
  );
}

/** By training-operator's own manifests. */
const WEBHOOKS = 'validator.training-operator.kubeflow.org';

async function webhookFindings(client: Looked, mayRun: boolean): Promise<readonly Finding[]> {
  const configuration = await client.find(VALIDATING_WEBHOOKS, undefined, WEBHOOKS).catch(() => undefined);
  if (!configuration) return [];
  const named = `the ValidatingWebhookConfiguration ${WEBHOOKS}`;
  const remedy = `\`kubectl delete validatingwebhookconfiguration ${WEBHOOKS}\` once training-operator is to run no more jobs.`;
  return [
    mayRun
      ? warning('webhooks', `${named} refuses jobs whose managedBy is signalbox.dev/bridge`, remedy)
      : fault(
          'webhooks',
          `${named} asks a training-operator that does not run: every job is refused`,
          remedy,
        ),
  ];
}

async function policyFinding(client: Looked, { jobs }: Settings): Promise<Finding> {
  const selection = { labelSelector: LABELS.admission };
  const lists = await Promise.all(
    ADMISSION_POLICIES_OF_CLUSTER.map((resource) =>
      listAll(client, { resource, selection }).catch((error: unknown) => {
        // An older API server has no mutating ones.
        if (error instanceof ApiError && error.status === 404) return { objects: [] };
        throw error;
      }),
    ),
  );
  const names = new Set(
    lists.flatMap(({ objects }) => objects.map(({ metadata }) => metadata.labels?.[LABELS.admission])),
  );
  if (jobs.requesterStamped && !names.has('requester'))
    return fault(
      'policies',
      'SIGNALBOX_REQUESTER_STAMPED is true, and nothing notes who writes a resource: any writer can claim to be another user',
      '`signalbox crds --policies requester | kubectl apply -f -`, or jobs.policies.requester of the chart.',
    );
  if (names.size > 0) return ok('policies', `the API server applies ${[...names].sort().join(', ')}`);
  return ok('policies', 'none: faulty resources are told by their status (docs/front-door.md#policies)');
}

/** As Kueue's own manifests call it. */
const KUEUE = {
  namespace: 'kueue-system',
  name: 'kueue-manager-config',
  key: 'controller_manager_config.yaml',
};

async function kueueFindings(client: Looked): Promise<readonly Finding[]> {
  const served = await Promise.all(
    KUEUE_WORKLOADS.map((version) => client.serves(version).catch(() => false)),
  );
  if (!served.some(Boolean)) return [];
  try {
    const config = await client.find(CONFIG_MAPS, KUEUE.namespace, KUEUE.name);
    const frameworks = valueAt(parse(config?.data?.[KUEUE.key] ?? ''), 'integrations.frameworks');
    const names = (Array.isArray(frameworks) ? frameworks : []).filter(
      (name) => typeof name === 'string' && name.startsWith('kubeflow.org/'),
    );
    if (names.length > 0) return [ok('Kueue', `queues ${names.join(', ')}`)];
    return [
      warning(
        'Kueue',
        `is installed, and its configuration (${KUEUE.namespace}/${KUEUE.name}) names no kind of job of kubeflow.org`,
        'Add those that are to be queued to integrations.frameworks, e.g. kubeflow.org/pytorchjob: from 0.19 on they are off.',
      ),
    ];
  } catch (error) {
    return [cannotSee('Kueue', error)];
  }
}
