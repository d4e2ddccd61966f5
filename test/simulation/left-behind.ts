import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { ATTEMPT_VARIABLE } from '../../contracts/labels.ts';
import { hasPodEnded, isSpare } from '../../contracts/pod.ts';
import type { Change } from './api-server.ts';
import { isWell } from './nodes.ts';

/**
 * Pods that the API server does not have any more, while their programs run on: nobody could end them. A sentence for each
 * that could take part in a later attempt, or whose whole gang runs on.
 */
export function leftBehindIn(changes: readonly Change[]) {
  const silent = new Set<string>();
  const made: Program[] = [];
  const left: Program[] = [];
  const wrong = changes.flatMap(({ plural, before, after }) => {
    if (plural === 'nodes') note(silent, (after ?? before) as Node);
    if (plural !== 'pods' || (before && after)) return [];
    const program = programOf((after ?? before) as Pod);
    if (after) {
      made.push(program);
      return left
        .filter((other) => mayMeet(other, program))
        .map((other) => `${other.pod} may join ${program.pod}`);
    }
    const pod = before as Pod;
    if (!silent.has(pod.spec.nodeName ?? '') || hasPodEnded(pod) || isSpare(pod)) return [];
    left.push(program);
    const isPeer = (other: Program) => other.owner === program.owner && other.attempt === program.attempt;
    return left.filter(isPeer).length < made.filter(isPeer).length ? [] : [`all of ${program.owner} runs on`];
  });
  return { pods: left.length, wrong };
}

interface Program {
  readonly pod: string;
  readonly owner: string | undefined;
  readonly attempt: number;
  readonly port: string | undefined;
}

function programOf({ metadata, spec }: Pod): Program {
  const variableOf = (variable: string) =>
    spec.containers[0]?.env?.find(({ name }) => name === variable)?.value;
  const attempt = Number(variableOf(ATTEMPT_VARIABLE));
  return {
    ...{ pod: metadata.name, owner: metadata.ownerReferences?.[0]?.uid, attempt },
    port: variableOf('MASTER_PORT'),
  };
}

const mayMeet = (old: Program, { owner, attempt, port }: Program) =>
  old.owner === owner && old.attempt < attempt && (port === undefined || old.port === port);

function note(silent: Set<string>, node: Node): void {
  if (isWell(node)) silent.delete(node.metadata.name);
  else silent.add(node.metadata.name);
}
