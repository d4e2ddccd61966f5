import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { LABELS } from '../contracts/labels.ts';
import { eachServed, type ServedNamespaces } from '../contracts/served-namespaces.ts';
import type { BridgeTakes } from '../contracts/settings.ts';
import { errorMessage } from '../language/error-message.ts';
import { pause } from '../language/timers.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import { findBridgeLeases, findOriginalOperators } from './find-operators.ts';
import { KINDS_WITH_VERSIONS } from './job-kinds.ts';
import { rivalOf } from './rivals.ts';

interface WantedTools extends Pick<LeaderTools, 'home' | 'readiness'> {
  readonly cluster: Pick<ClusterClient, 'serves' | 'list'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly takes: BridgeTakes;
  readonly namespaces?: ServedNamespaces;
  /** The lease for which this bridge would stand, `NAMESPACE/NAME`. */
  readonly lease: string;
}

/** Between looks. Each asks for the kinds of a few API groups. */
const LOOK_MS = 3_000;

/**
 * Resolves when a bridge is to run that nobody has asked for: once the cluster serves a kind of job that nobody else runs. Says what
 * it waits for. Who cannot see whether another operator runs them does not run them either.
 */
export async function untilWanted(tools: WantedTools, stop: AbortSignal): Promise<void> {
  const { readiness, log } = tools;
  readiness.set('lease', undefined);
  let said: string | undefined;
  while (!stop.aborted) {
    const why = await whyUnwanted(tools).catch(notFoundOut);
    if (why === undefined) return;
    if (why.text !== said) log[why.level](`no bridge runs: ${why.text}`);
    said = why.text;
    await pause(LOOK_MS, stop);
  }
}

const KINDS = KINDS_WITH_VERSIONS.flat();

interface Unwanted {
  readonly level: 'info' | 'warn';
  readonly text: string;
}

async function whyUnwanted(tools: WantedTools): Promise<Unwanted | undefined> {
  const { cluster } = tools;
  const served = await Promise.all(KINDS.map((resource) => cluster.serves(resource)));
  const kinds = KINDS.filter((_, index) => served[index]);
  if (kinds.length === 0) return { level: 'info', text: NO_DEFINITIONS };
  return (await takenByOperators(tools, kinds)) ?? takenByBridge(tools);
}

const NO_DEFINITIONS =
  'the cluster serves no kind of job; once `signalbox crds | kubectl apply -f -` has defined them, a bridge starts by itself';

async function takenByOperators(
  { cluster, takes, namespaces }: WantedTools,
  kinds: typeof KINDS,
): Promise<Unwanted | undefined> {
  // What is made for signalbox alone is left to it.
  if (takes === 'own') return undefined;
  const operators = await findOriginalOperators(cluster);
  const isLeft = (kind: (typeof kinds)[number]) =>
    eachServed(namespaces).some(
      (namespace = '') => rivalOf(operators, { ...kind, namespace, isOwn: false }) === undefined,
    );
  if (kinds.some(isLeft)) return undefined;
  const found = operators.map((one) => `${one.name} runs (${one.found})`).join(', ');
  return {
    level: 'warn',
    text: `${found} and takes the jobs that are applied; with SIGNALBOX_BRIDGE=true a bridge runs beside it, for jobs of its own (docs/migrating.md)`,
  };
}

/** Who stands for the same lease of the same installation stands by. */
async function takenByBridge({ cluster, home, lease }: WantedTools): Promise<Unwanted | undefined> {
  const others = (await findBridgeLeases(cluster)).filter(
    ({ metadata: { namespace, name, annotations } }) =>
      `${namespace}/${name}` !== lease || annotations?.[LABELS.installation] !== home.installation,
  );
  if (others.length === 0) return undefined;
  const names = others.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return { level: 'info', text: `another one does (lease ${names.join(', ')})` };
}

const notFoundOut = (error: unknown): Unwanted => ({
  level: 'warn',
  text: `who else runs the jobs that are applied cannot be found out: ${errorMessage(error)}; SIGNALBOX_BRIDGE=true runs one all the same, false never`,
});
