import type {
  ConditionEvidence,
  ContainerEvidence,
  ContainerStateEvidence,
  EvidenceRecord,
  LogExcerpt,
  NodeEvidence,
} from '../../../contracts/types.ts';
import { countText } from '../../../language/count-text.ts';
import { truncate } from '../../../language/shorten.ts';
import { html, type Markup, withoutColours } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { clockText, timeText } from '../page/time-texts.ts';

const LINES_OF_A_LOG = 60;
const LETTERS_OF_A_LINE = 2_000;
const EVENTS = 30;

/** Limits how much of logs a report has, so that it can be sent around. */
export class LogBudget {
  #letters = 250_000;

  /** Takes the last lines that fit. */
  take(lines: readonly string[], most: number): string[] {
    const taken: string[] = [];
    for (const line of lines.slice(-most).toReversed()) {
      const short = withoutColours(truncate(line, LETTERS_OF_A_LINE));
      if (short.length > this.#letters) break;
      this.#letters -= short.length;
      taken.unshift(line.length > LETTERS_OF_A_LINE ? `${short}…` : short);
    }
    return taken;
  }
}

/** What was recorded of a failed pod: what it said, its containers, logs, node and events. */
export function evidenceMarkup(record: EvidenceRecord, budget: LogBudget): Markup {
  const { summary, containers, node, events, incomplete = [] } = record;
  return html`${summary.message && html`<p class="small muted">It said:</p><pre>${truncate(summary.message, LETTERS_OF_A_LINE)}</pre>`}
${containers.flatMap((container) => logsOf(container, record, budget))}
${containerTable(containers)}
${node && nodeMarkup(node)}
${eventTable(events, summary.pod)}
${incomplete.length > 0 && html`<p class="small muted">Not recorded: ${incomplete.join('; ')}</p>`}
${summary.ref && html`<p class="small muted">Whole record: <span class="mono">${summary.ref}</span></p>`}`;
}

function logsOf(
  { name, log, previousLog }: ContainerEvidence,
  { summary }: EvidenceRecord,
  budget: LogBudget,
): Markup[] {
  const logs = [
    { title: `the previous run of ${name}`, excerpt: previousLog },
    { title: name, excerpt: log },
  ];
  return logs.flatMap(({ title, excerpt }) =>
    excerpt && excerpt.lines.length > 0
      ? [logMarkup(excerpt, { title: `${summary.pod}, ${title}`, of: title }, budget)]
      : [],
  );
}

function logMarkup(
  { lines, isCut }: LogExcerpt,
  { title, of }: { readonly title: string; readonly of: string },
  budget: LogBudget,
): Markup {
  const shown = budget.take(lines, LINES_OF_A_LOG);
  const left = lines.length - shown.length;
  const rest =
    left > 0 ? `; the record has ${left} earlier ones` : isCut ? '; earlier ones were not recorded' : '';
  return html`<p class="small muted">Log of ${of}: ${shown.length > 0 ? `the last ${shown.length} lines` : 'left out'}${rest}</p>
${shown.length > 0 && html`<pre class="log" tabindex="0" role="group" aria-label="Log of ${title}">${shown.join('\n')}</pre>`}`;
}

function containerTable(containers: readonly ContainerEvidence[]): Markup | undefined {
  if (containers.length === 0) return undefined;
  const columns = [
    { heading: 'Container' },
    { heading: 'State' },
    { heading: 'Restarts', is: 'number' },
    { heading: 'Image', late: true },
  ] as const;
  const rows = containers.map(({ name, isInit, state, lastState, restarts, image }) => [
    html`${name}${isInit && html` <span class="tag">init</span>`}`,
    html`${stateText(state)}${lastState && html`<br><span class="small muted">before: ${stateText(lastState)}</span>`}`,
    restarts,
    html`<span class="mono">${image}</span>`,
  ]);
  return tableMarkup('Containers', columns, rows);
}

function stateText(state: ContainerStateEvidence | undefined): string {
  if (state?.terminated) {
    const { exitCode, signal, reason, finishedAt } = state.terminated;
    const parts = [
      `exit code ${exitCode}`,
      signal && `signal ${signal}`,
      reason,
      finishedAt && `at ${clockText(finishedAt)}`,
    ];
    return parts.filter(Boolean).join(', ');
  }
  if (state?.waiting)
    return ['waiting', state.waiting.reason, state.waiting.message].filter(Boolean).join(', ');
  return state?.running ? 'running' : 'not known';
}

function nodeMarkup({ name, conditions, taints, unschedulable }: NodeEvidence): Markup {
  const troubles = [
    ...conditions.filter(isTrouble).map(conditionText),
    ...(unschedulable ? ['cordoned'] : []),
    ...taints.map(({ key, value, effect }) => `taint ${key}${value ? `=${value}` : ''}:${effect ?? ''}`),
  ];
  return html`<p>Node <b>${name}</b>: ${troubles.length > 0 ? troubles.join('; ') : 'no trouble recorded'}.</p>`;
}

/** Every condition but Ready indicates a problem when it is not False. */
const isTrouble = ({ type, status }: ConditionEvidence) => status !== (type === 'Ready' ? 'True' : 'False');

const conditionText = ({ type, status, reason, message }: ConditionEvidence) =>
  [`${type}=${status}`, reason, message].filter(Boolean).join(', ');

function eventTable(events: EvidenceRecord['events'], pod: string): Markup | undefined {
  if (events.length === 0) return undefined;
  const columns = [{ heading: 'When', is: 'time' }, { heading: 'Event' }, { heading: 'Message' }] as const;
  const rows = events
    .slice(-EVENTS)
    .map(({ lastAt, type, reason, message, count = 1 }) => [
      lastAt ? timeText(lastAt).replace(' UTC', '') : '',
      html`${reason}${type === 'Warning' && html` <span class="tag bad">Warning</span>`}`,
      `${message ?? ''}${count > 1 ? ` (${count} times)` : ''}`,
    ]);
  const more = events.length - rows.length;
  return html`<details><summary>${countText(events.length, 'event')} of ${pod}</summary>${tableMarkup('Kubernetes’ events, times in UTC', columns, rows)}
${more > 0 && html`<p class="small muted">The record has ${more} earlier ones.</p>`}</details>`;
}
