import { isWaitCode } from '../../contracts/reasons.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { didYouMean, nearest } from '../../language/did-you-mean.ts';
import { ofShape, type Rule, waitReason } from '../rule.ts';

/** Objects that the pods name and that do not exist. */
export const missingReferences: Rule = ({ cluster }) =>
  cluster.missing.map(({ kind, name, of, near }) =>
    waitReason(
      'DependencyMissing',
      `the ${kind} ${name} does not exist; ${of} names it${near ? `; ${didYouMean(near)}` : ''}`,
      { who: OF_ADMINISTRATORS.has(kind) ? 'either' : 'you' },
    ),
  );

/** A misspelt name is the user's all the same. */
const OF_ADMINISTRATORS: ReadonlySet<string> = new Set([
  ...['PriorityClass', 'StorageClass', 'RuntimeClass', 'DeviceClass', 'Namespace'],
]);

/** Nodes that templates name, and that do not exist or are not ready. Their pods wait for these, whatever else is free. */
export const namedNodes: Rule = ({ demand, cluster: { nodes } }) => {
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
      return [waitReason('DependencyMissing', `node ${name} does not exist; ${named}${hint}`)];
    }
    if (!node.trouble || node.trouble.trouble === 'Cordoned') return [];
    return [waitReason('NodeNotReady', `node ${name} is not ready; ${named}`)];
  });
};

/** What the API server refused in a dry run, without what is said of the same objects in more detail. */
export const refusals: Rule = ({ cluster }) =>
  cluster.refused.flatMap(({ object, message, code }): WaitReason[] => {
    const isKnown = cluster.missing.some(({ name }) => message.includes(name));
    if (isKnown || !isWaitCode(code)) return [];
    return [waitReason(code, `the API server refuses ${object}: ${message}`)];
  });

/** Claims that are not bound, or not for so many pods. One that waits for its first pod is no reason. */
export const volumes: Rule = ({ cluster }) =>
  cluster.volumes.map(({ claim, why, since, never }) =>
    waitReason(never ? 'NeverFits' : 'VolumePending', `the PersistentVolumeClaim ${claim} ${why}`, { since }),
  );
