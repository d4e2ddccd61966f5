import type { SnapshotFrom, StateValueFrom } from 'xstate';
import type { Phase } from '../../contracts/types.ts';
import type { JobContext } from '../model/job-context.ts';
import type { jobMachine } from './job-machine.ts';
import type { StateTag } from './job-setup.ts';

type Value = StateValueFrom<typeof jobMachine>;

/** A compound state is always in one of its child states. */
type Nested = Extract<Value, object>;
type Parent = Nested extends infer N ? (N extends object ? keyof N & string : never) : never;
type PathIn<N> = N extends object
  ? { [K in keyof N & string]-?: `${K}.${Extract<N[K], string>}` }[keyof N & string]
  : never;

/** The path of a state, e.g. `Pending.Scheduling`. */
export type StatePath = Exclude<Extract<Value, string>, Parent> | PathIn<Nested>;

/** The first part of a state's path. */
type TopState = Extract<Value, string> | Parent;

/** A job's position in the statechart, without the machine's internals. */
export interface Position {
  readonly state: StatePath;
  readonly tags: ReadonlySet<StateTag>;
  readonly context: JobContext;
}

export const positionOf = ({ value, tags, context }: SnapshotFrom<typeof jobMachine>): Position => ({
  state: pathOf(value) as StatePath,
  tags: tags as ReadonlySet<string> as ReadonlySet<StateTag>,
  context,
});

/** During clean-up this is already the outcome. */
export function phaseOfState({ state, context }: Position): Phase {
  return context.outcome?.phase ?? (state.split('.')[0] as Exclude<TopState, 'Finishing'>);
}

function pathOf(value: Value): string {
  if (typeof value === 'string') return value;
  const [parent, child] = Object.entries(value)[0]!;
  return `${parent}.${child}`;
}
