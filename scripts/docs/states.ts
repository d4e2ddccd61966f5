import { meaningOfEnd } from '../../contracts/ends.ts';
import { type DocumentedStep, type MachineSteps, readSteps } from './machine-steps.ts';
import { page, paragraph, table } from './markdown.ts';
import { reasons } from './reasons.ts';

/** Returns docs/states.md. */
export function statesPage(): string {
  const steps = readSteps();
  return page({
    title: 'States and reasons',
    source: 'machines/chart/job-machine.ts and contracts/reasons.ts',
    body: [
      paragraph(
        'The phase is the first part of the state, or from `Finishing` on the outcome. A [reason](#reasons) says why a job is not running, or why it ended.',
      ),
      diagram(steps),
      paragraph('An arrow is labelled with the event, or with what the newest digest means.'),
      `From every state before \`Finishing\`:\n\n${steps.fromEverywhere.map(stepLine).join('\n')}`,
      meanings(steps),
      '## Reasons',
      paragraph(
        '`signalbox get`, the status query and the search attribute `JobReason` show one of these codes; [`signalbox why`](why.md) says of a job that waits all that keep it, in the order of the first table, and in more detail where a scheduler speaks in general.',
      ),
      reasons(),
      '## How a container ended',
      paragraph(
        "What helps depends on how a container ended: Kubernetes' reason says most, then the signal, then the exit code. The status has both remedy and facts: `cause.remedy`, `podReason`, `exitCode`, `signal`, and of a container that was killed its `memoryLimit`. In the tables above NAME, POD, CONTAINER and NODE stand for what the cause names.",
      ),
      ends(),
      '## Which refusals end a job',
      paragraph(
        'The API server may refuse an object of a job. A refusal that only a change of the job can mend ends it at once, with `ClusterRefused`; any other is waited for, up to `refusals.failAfter` of the [policy](policy.md#refusals-what-the-api-server-does-not-take-for-now).',
      ),
      table(['at once', 'waited for'], REFUSALS),
    ],
  });
}

/** As `cluster/temporary-refusal.ts` decides. */
const REFUSALS = [
  [
    'the object is invalid, malformed or too large (400, 413, 422), e.g. a privileged container where the API server allows none',
    'the namespace, a service account, a priority class, a runtime class or an API is missing',
  ],
  ['Pod Security, an admission policy or an admission webhook denies it (403)', 'a webhook does not answer'],
  ['a LimitRange forbids its sizes; a quota wants requests or limits that it lacks', 'a quota is used up'],
  [
    '',
    'RBAC gives signalbox no right (403), or an admission plugin refuses in words that signalbox does not know',
  ],
  ['', 'the API server does not answer, or fails: without limit'],
];

/** Draws the phases; the table has the states inside of them. */
function diagram({ states, steps }: MachineSteps): string {
  const outer = steps
    .map(({ from, to, label }) => ({ from: phaseOf(from), to: phaseOf(to), label }))
    .filter(({ from, to }) => from !== to);
  const lines = [
    `    [*] --> ${phaseOf(states[0]!.name)}`,
    ...merged(outer),
    ...states.flatMap(({ name, isFinal }) => (isFinal ? [`    ${name} --> [*]`] : [])),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n');
}

/** Merges all steps from one phase to another into one arrow. */
function merged(steps: readonly DocumentedStep[]): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, label } of steps) {
    const way = `${from} --> ${to}`;
    arrows.set(way, (arrows.get(way) ?? new Set()).add(label));
  }
  return [...arrows].map(([way, labels]) => `    ${way}: ${[...labels].join(', ')}`);
}

const phaseOf = (state: string) => state.split('.')[0]!;

function meanings({ states }: MachineSteps): string {
  const rows = states.map(({ name, effect, description }) => [
    `\`${name}\``,
    effect ? `${description} Effect: \`${effect}\`.` : description,
  ]);
  return table(['state', 'meaning'], rows);
}

const stepLine = ({ label, to }: DocumentedStep) => `- ${label}: to \`${to}\``;

/** What a page shows of them: what programs of machine learning end with. */
const EXIT_CODES = [1, 2, 126, 127, 130, 132, 134, 135, 136, 137, 139, 143];
const REASONS = ['OOMKilled', 'StartError', 'DeadlineExceeded', 'ContainerStatusUnknown'];

/** Returns the table of ends of containers, with what remedies say of each. */
function ends(): string {
  const all = [
    ...EXIT_CODES.map((exitCode) => [`exit code ${exitCode}`, { exitCode }] as const),
    ...REASONS.map((podReason) => [`\`${podReason}\``, { podReason }] as const),
  ];
  const rows = all.map(([end, known]) => [end, meaningOfEnd({ message: '', ...known })?.says ?? '']);
  return table(['end', 'what remedies say'], rows);
}
