import { type DocumentedState, type DocumentedStep, type MachineSteps, readSteps } from './machine-steps.ts';
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
        'The phase is what people read first: the first part of the state, or from `Finishing` on the outcome. A [reason](#reasons) says why a job is not running, or why it ended.',
      ),
      diagram(steps),
      paragraph(
        'An arrow is labelled with the event, or with what the newest digest means. Once a job is finishing, nothing changes its outcome.',
      ),
      `From every state before \`Finishing\`:\n\n${steps.fromEverywhere.map(stepLine).join('\n')}`,
      meanings(steps),
      '## Reasons',
      paragraph(
        '`signalbox get`, the status query and the search attribute `JobReason` show one of these codes.',
      ),
      reasons(),
    ],
  });
}

/** Draws phases with the steps inside them; steps between phases connect the phases. */
function diagram({ states, steps }: MachineSteps): string {
  const isInner = ({ from, to }: DocumentedStep) => phaseOf(from) === phaseOf(to);
  const outer = steps
    .filter((step) => !isInner(step))
    .map(({ from, to, label }) => ({ from: phaseOf(from), to: phaseOf(to), label }));
  const lines = [
    ...[...Map.groupBy(states, ({ name }) => phaseOf(name))].flatMap(([phase, members]) =>
      members.length > 1
        ? stateBlock(
            phase,
            members,
            steps.filter((step) => isInner(step) && phaseOf(step.from) === phase),
          )
        : [],
    ),
    `    [*] --> ${phaseOf(states[0]!.name)}`,
    ...merged(outer),
    ...states.flatMap(({ name, isFinal }) => (isFinal ? [`    ${idOf(name)} --> [*]`] : [])),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n');
}

function stateBlock(
  phase: string,
  states: readonly DocumentedState[],
  steps: readonly DocumentedStep[],
): string[] {
  return [
    `    state ${phase} {`,
    ...states.map(({ name }) => `        state "${name.split('.')[1]}" as ${idOf(name)}`),
    `        [*] --> ${idOf(states[0]!.name)}`,
    ...merged(steps).map((line) => `    ${line}`),
    '    }',
  ];
}

/** Merges all steps from one state to another into one arrow. */
function merged(steps: readonly DocumentedStep[]): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, label } of steps) {
    const way = `${idOf(from)} --> ${idOf(to)}`;
    arrows.set(way, (arrows.get(way) ?? new Set()).add(label));
  }
  return [...arrows].map(([way, labels]) => `    ${way}: ${[...labels].join(', ')}`);
}

const phaseOf = (state: string) => state.split('.')[0]!;

function meanings({ states }: MachineSteps): string {
  const rows = states.map(({ name, phase, effect, description }) => [
    `\`${name}\``,
    phase,
    description,
    effect ? `\`${effect}\`` : '',
  ]);
  return table(['state', 'phase', 'meaning', 'effect on entry'], rows);
}

const stepLine = ({ label, to }: DocumentedStep) => `- ${label}: to \`${to}\``;

const idOf = (name: string) => name.replaceAll('.', '_');
