import { z } from 'zod';
import type { Reaction } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { describeValue } from '../../fields/faults.ts';
import { unsupported } from '../../fields/unsupported.ts';

const POLICY_ANNOTATION = 'signalbox.dev/policy';

/** What each event is here; absent: it never happens, under Volcano neither. */
const EVENTS: Readonly<Record<string, readonly Reaction['on'][]>> = {
  PodFailed: ['failed'],
  PodEvicted: ['gone'],
  TaskCompleted: ['succeeded'],
  TaskFailed: ['worn'],
  JobUpdated: [],
  '*': ['gone', 'failed', 'succeeded', 'worn'],
};

/** Events of Volcano that are not looked for here, and what does the same. */
const OTHER_EVENTS: Readonly<Record<string, string>> = {
  PodPending: `for pods that wait too long: failures.classes.startUp.after of ${POLICY_ANNOTATION}`,
  Unknown: `for a gang without room: gang.placedWithin of ${POLICY_ANNOTATION}`,
};

const ACTIONS: Readonly<Record<string, Reaction['do']>> = {
  AbortJob: 'suspend',
  RestartJob: 'restartGang',
  RestartTask: 'restartRole',
  RestartPod: 'restartPod',
  RestartPartition: 'restartPartition',
  TerminateJob: 'stop',
  CompleteJob: 'complete',
};

const OTHER_ACTIONS: Readonly<Record<string, string>> = {
  ResumeJob: 'an aborted job is resumed by a person: signalbox resume NAME',
};

const word = (known: Readonly<Record<string, unknown>>, others: Readonly<Record<string, string>>) =>
  z
    .string()
    .refine((given) => Object.hasOwn(known, given), {
      error: ({ input }) => {
        const why = typeof input === 'string' && Object.hasOwn(others, input) ? others[input] : undefined;
        return `one of ${Object.keys(known).join(', ')}${why ? ` (${why})` : ''}`;
      },
    })
    .meta({ enum: Object.keys(known) });

const policy = z
  .looseObject({
    event: word(EVENTS, OTHER_EVENTS).optional().describe('The event; * is each of them.'),
    events: z.array(word(EVENTS, OTHER_EVENTS)).optional().describe('Several events.'),
    exitCode: z.int().optional().describe('The exit code of the first container, instead of an event.'),
    action: word(ACTIONS, OTHER_ACTIONS).describe('What follows.'),
    timeout: unsupported(
      `signalbox acts at once; restart.ladder[].within of ${POLICY_ANNOTATION} is for pods that may come back`,
    ),
  })
  .meta({ id: 'VolcanoPolicy', description: 'What follows from an event, or from an exit code.' });

export const policies = z.array(policy);
export type EventPolicy = z.infer<typeof policy>;

/** Returns what contradicts itself in a list of policies. `isParted`: of tasks that have partitions. */
export function checkPolicies(list: readonly EventPolicy[] = [], path: string, isParted: boolean): Fault[] {
  const known = new Map<string, string>();
  return list.flatMap((one, index) => {
    const at = `${path}[${index}]`;
    return [
      ...checkTrigger(one, at),
      ...checkAction(one, at),
      ...(isParted ? [] : checkPartition(one, at)),
      ...findRepeated(one, { at, known }),
    ];
  });
}

const checkPartition = ({ action }: EventPolicy, path: string): Fault[] =>
  action === 'RestartPartition'
    ? [{ path: `${path}.action`, expected: 'a task with partitionPolicy', got: describeValue(action) }]
    : [];

function checkTrigger({ exitCode, ...policy }: EventPolicy, path: string): Fault[] {
  const events = eventsOf(policy);
  if (events.length === 0 && exitCode === undefined)
    return [{ path, expected: 'an event, events or an exitCode', got: 'none of them' }];
  if (exitCode === undefined || (exitCode !== 0 && events.length === 0)) return [];
  const expected = exitCode === 0 ? 'a code other than 0, which is no failure' : 'nothing beside an event';
  return [{ path: `${path}.exitCode`, expected, got: `${exitCode}` }];
}

/** A task that has completed would run again for ever. */
function checkAction({ action, ...policy }: EventPolicy, path: string): Fault[] {
  if (!isRestart(action) || !eventsOf(policy).includes('TaskCompleted')) return [];
  const expected = 'CompleteJob, TerminateJob or AbortJob for TaskCompleted';
  return [{ path: `${path}.action`, expected, got: describeValue(action) }];
}

function findRepeated(
  policy: EventPolicy,
  { at, known }: { readonly at: string; readonly known: Map<string, string> },
): Fault[] {
  const triggers = [
    ...eventsOf(policy),
    ...(policy.exitCode === undefined ? [] : [`exit code ${policy.exitCode}`]),
  ];
  return triggers.flatMap((trigger) => {
    const isAny = trigger === '*' || known.has('*');
    const before = known.get(trigger) ?? (isAny ? [...known.values()][0] : undefined);
    known.set(trigger, at);
    if (before === undefined) return [];
    const expected = isAny ? 'no other policy beside *' : `${trigger} once; ${before} has it`;
    return [{ path: at, expected, got: isAny ? `${before} as well` : 'a second policy' }];
  });
}

const eventsOf = ({ event, events = [] }: Pick<EventPolicy, 'event' | 'events'>): readonly string[] =>
  event === undefined ? events : [event, ...events];

const isRestart = (action: string) => ACTIONS[action]?.startsWith('restart') === true;

/** Returns what the policies of a list mean, in its order. */
export const reactionsOf = (list: readonly EventPolicy[] = [], path: string): readonly Reaction[] =>
  list.flatMap((policy, index) => {
    const { action, exitCode } = policy;
    const given = { do: ACTIONS[action]!, rule: ruleOf(policy, `${path}[${index}]`) };
    if (exitCode !== undefined) return [{ on: 'failed' as const, exitCode, ...given }];
    const happens = new Set(eventsOf(policy).flatMap((event) => EVENTS[event]!));
    if (isRestart(action)) happens.delete('succeeded');
    return [...happens].map((on) => ({ on, ...given }));
  });

/** The events that happen when containers of a task were restarted in place too often. */
export const WEAR: readonly string[] = Object.keys(EVENTS).filter((event) => EVENTS[event]!.includes('worn'));

export const isForWear = (list: readonly EventPolicy[]): boolean =>
  list.some((policy) => eventsOf(policy).some((event) => WEAR.includes(event)));

const ruleOf = ({ action, exitCode, ...policy }: EventPolicy, path: string) =>
  `${path}: ${exitCode === undefined ? eventsOf(policy).join(', ') : `exitCode ${exitCode}`}: ${action}`;

const KIND = 'batch.volcano.sh/v1alpha1 Job';

/** Without a policy a deleted pod comes back, and a failed one stays. */
export const WITHOUT_POLICY: readonly Reaction[] = [
  { on: 'gone', do: 'replace', rule: `${KIND}: a pod that is deleted comes back` },
  { on: 'failed', do: 'ignore', rule: `${KIND}: a failed pod stays without a policy for it` },
];
