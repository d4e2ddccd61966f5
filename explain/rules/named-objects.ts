import { isWaitCode } from '../../contracts/reasons.ts';
import { remedyOfRefusal } from '../../contracts/refusal-remedies.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { capitalised } from '../../language/capitalised.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { ofShape, type Rule, waitReason } from '../rule.ts';
import type { MissingReference } from '../situation.ts';
import { isSaidOfQuotas } from './quotas.ts';

/** Objects that the pods name and that do not exist. */
export const missingReferences: Rule = ({ cluster, demand: { namespace } }) =>
  cluster.missing.map((missing) => {
    const { kind, name, of, key, near } = missing;
    const what = key === undefined ? `${kind} ${name} does not exist` : `${kind} ${name} has no key ${key}`;
    return waitReason(
      'DependencyMissing',
      `the ${what}; ${of} names it${near ? `; ${didYouMean(near)}` : ''}`,
      {
        who: OF_ADMINISTRATORS.has(kind) ? 'either' : 'you',
        remedy: creationOf(missing, namespace),
      },
    );
  });

function creationOf(missing: MissingReference, namespace: string): string {
  const { kind, name, key } = missing;
  const own = insteadOf(missing);
  const instead = own && `${own}. Or `;
  if (key !== undefined) {
    const added = `add the key ${key} to the ${kind} ${name} in namespace ${namespace}`;
    return `${instead}${instead ? added : capitalised(added)}.`;
  }
  const create = OF_ADMINISTRATORS.has(kind)
    ? `an administrator of the cluster can create the ${kind} ${name}`
    : `create the ${kind} ${name} in namespace ${namespace}`;
  const how = kind === 'ServiceAccount' ? `: \`kubectl create serviceaccount ${name} -n ${namespace}\`` : '';
  return `${instead}${instead ? create : capitalised(create)}${how}.`;
}

function insteadOf({ kind, name: object, of, key, near, there = [] }: MissingReference): string {
  const name = key ?? object;
  if (near) return `Write ${near} for ${name} in ${of}`;
  const others = there.length > 0 ? `${there.join(', ')} for ${name} in ${of}` : '';
  if (!NEEDLESS.has(kind)) return others && `Write ${others}`;
  return `Remove ${of}${others && `, or write ${others}`}`;
}

/** Pods need not name one. */
const NEEDLESS: ReadonlySet<string> = new Set(['PriorityClass', 'RuntimeClass']);

/** A misspelt name is the user's all the same. */
const OF_ADMINISTRATORS: ReadonlySet<string> = new Set([
  ...['PriorityClass', 'StorageClass', 'RuntimeClass', 'DeviceClass', 'Namespace'],
]);

/** Nodes that templates name, and that do not exist or are not ready. Their pods wait for these, whatever else is free. */
export const namedNodes: Rule = ({ demand, own, cluster: { nodes } }) => {
  const byNode = Map.groupBy(demand.shapes, ({ nodeName }) => nodeName);
  return [...byNode].flatMap(([name, shapes]): WaitReason[] => {
    if (name === undefined || nodes === undefined) return [];
    const roles = [...new Set(shapes.flatMap((shape) => shape.roles))];
    const named = `spec.nodeName of ${ofShape({ roles })} names it`;
    const node = nodes.find((one) => one.name === name);
    if (!node) {
      const near = nearest(
        name,
        nodes.map((one) => one.name),
      );
      const hint = near ? `; ${didYouMean(near)}` : '';
      const sentence = `node ${name} does not exist; ${named}, and pods that are made for it fail${hint}`;
      return [waitReason('DependencyMissing', sentence, { remedy: nodeRemedy(near, own !== undefined) })];
    }
    if (!node.trouble || node.trouble.trouble === 'Cordoned') return [];
    const remedy = `An administrator of the cluster can repair node ${name}: \`kubectl describe node ${name}\` says what it lacks. Or name another node in spec.nodeName of the pod template, or none.`;
    return [waitReason('NodeNotReady', `node ${name} is not ready; ${named}`, { remedy })];
  });
};

const nodeRemedy = (near: string | undefined, isLive: boolean): string =>
  [
    isLive ? 'Stop the job (`signalbox stop NAME`). ' : '',
    `Name a node that exists in spec.nodeName of the pod template${near ? `, e.g. ${near}` : ''} (\`kubectl get nodes\` lists them)`,
    `, or remove it, so that a scheduler chooses the node${isLive ? '. Then submit the job again' : ''}.`,
  ].join('');

/** What the API server refused in a dry run, without what is said of the same objects in more detail. */
export const refusals: Rule = (situation) => {
  const { missing, refused } = situation.cluster;
  return refused.flatMap(({ object, message, code }): WaitReason[] => {
    const isKnown = missing.some(({ name }) => message.includes(name)) || isSaidOfQuotas(message, situation);
    if (isKnown || !isWaitCode(code)) return [];
    const remedy = remedyOfRefusal(message, situation.demand.namespace);
    return [waitReason(code, `the API server refuses ${object}: ${message}`, remedy ? { remedy } : {})];
  });
};

/** Claims that are not bound, or not for so many pods. One that waits for its first pod is no reason. */
export const volumes: Rule = ({ cluster }) =>
  cluster.volumes.map(({ claim, why, since, never }) =>
    waitReason(never ? 'NeverFits' : 'VolumePending', `the PersistentVolumeClaim ${claim} ${why}`, { since }),
  );
