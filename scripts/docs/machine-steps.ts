import type { AnyStateNode } from 'xstate';
import { jobMachine } from '../../machines/chart/job-machine.ts';
import type { Effect } from '../../machines/model/effects.ts';
import { initialContext } from '../../machines/model/job-context.ts';

/** The job machine as a list of states and the steps between them. */
export interface MachineSteps {
  readonly states: readonly DocumentedState[];
  readonly steps: readonly DocumentedStep[];
  /** Transitions of the root, which apply in every state that does not override them. */
  readonly fromEverywhere: readonly DocumentedStep[];
}

interface DocumentedState {
  /** E.g. `Pending.Scheduling`. */
  readonly name: string;
  readonly phase: string;
  readonly description: string;
  /** The effect on entry. */
  readonly effect: Effect['type'] | undefined;
  readonly isFinal: boolean;
}

export interface DocumentedStep {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Throws if a state, or a transition to another state, has no description in the chart. */
export function readSteps(root: AnyStateNode = jobMachine.root): MachineSteps {
  const [, ...nodes] = nodesOf(root);
  const fromEverywhere = stepsFrom(root);
  // A compound state may repeat a transition of the root before one that hides the others.
  const isRepeated = ({ to, label }: DocumentedStep) =>
    fromEverywhere.some((step) => step.to === to && step.label === label);
  const leaves = nodes.filter((node) => childrenOf(node).length === 0);
  const compounds = nodes.filter((node) => childrenOf(node).length > 0);
  return {
    states: leaves.map(stateOfNode),
    steps: [
      ...leaves.flatMap(stepsFrom),
      ...compounds.flatMap(stepsFrom).filter((step) => !isRepeated(step)),
    ],
    fromEverywhere,
  };
}

const childrenOf = (node: AnyStateNode) => Object.values<AnyStateNode>(node.states);

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...childrenOf(node).flatMap(nodesOf)];

function stateOfNode(node: AnyStateNode): DocumentedState {
  const [phase] = node.path;
  const name = node.path.join('.');
  if (!node.description) throw new Error(`expected a description of the state ${name}`);
  return {
    name,
    phase: phase === 'Finishing' ? 'the outcome' : phase!,
    description: node.description,
    effect: node.entry.map(effectOf).find((effect) => effect !== undefined),
    isFinal: node.type === 'final',
  };
}

/** The type of an effect does not depend on the job, so any context will do. */
function effectOf(action: unknown): Effect['type'] | undefined {
  const { type, params } = action as { type?: string; params?: (at: { context: unknown }) => Effect };
  if (type !== 'perform' || !params) return undefined;
  const context = { ...initialContext(NO_JOB), outcome: { phase: 'Stopped' }, restarting: RESTARTING };
  return params({ context }).type;
}

const RESTARTING = { scope: 'pod', why: '', effect: { type: 'restorePods' } };

const NO_JOB = {
  revision: { number: 1, sha256: '', warnings: [] },
  plan: {
    kind: '',
    name: '',
    namespace: '',
    roles: [],
    replicaSpecs: '',
    runPolicy: { cleanPodPolicy: 'None' },
    successRoles: [],
    messages: { running: '', succeeded: '' },
    roleSelector: '',
  },
  anchorUid: '',
  gang: 'none',
  gate: 'group',
  at: 0,
} as const;

function stepsFrom(node: AnyStateNode): DocumentedStep[] {
  const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
  return transitions.flatMap(({ target, description }) =>
    (target ?? []).map((to) => {
      const [from, into] = [node.path.join('.'), entered(to).path.join('.')];
      if (!description) throw new Error(`expected a description of the transition from ${from} to ${into}`);
      return { from, to: into, label: description };
    }),
  );
}

/** Returns the state that is entered by a step to a compound state. */
function entered(node: AnyStateNode): AnyStateNode {
  const [first] = node.initial?.target ?? [];
  return first ? entered(first) : node;
}
