import type { Container } from '../../contracts/kubernetes.ts';
import { totalReplicas } from '../../contracts/roles.ts';
import type { GangFence } from '../../contracts/training-job.ts';
import type { Draft, Framework } from '../model/framework.ts';

/** Returns what keeps programs of an earlier attempt away from the ranks of a later one, or why nothing does. */
export function fenceOf(framework: Framework, draft: Draft): GangFence {
  if (totalReplicas(draft.roles) < 2) return 'onePod';
  const variables = framework.meeting?.(draft) ?? 'unknown';
  if (typeof variables === 'string') return variables;
  const containers = draft.roles.flatMap(({ template }) => template.spec.containers);
  return containers.some((container) => namesMeeting(container, variables)) ? 'ownAddress' : 'port';
}

/** The manifest's own variables precede those of the kind, and so do options of a launcher. */
function namesMeeting(
  { env = [], command = [], args = [] }: Container,
  variables: readonly string[],
): boolean {
  if (env.some(({ name }) => variables.includes(name))) return true;
  const given = [...[...command, ...args].join(' ').matchAll(ADDRESS)];
  return given.some(([, value = '']) => !REFERS_TO_PORT.test(value));
}

/** Options of torchrun and others, and assignments in a shell, with their value. */
const ADDRESS =
  /(?:--(?:rdzv|master|coordinator|main_process)[-_](?:endpoint|port|address)|\b\w*(?:MASTER|COORDINATOR)_PORT(?==))[\s=]+["']?([^\s"';]+)/g;

const REFERS_TO_PORT = /\$[({]?\w*PORT/;
