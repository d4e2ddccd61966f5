import { countText } from '../../../language/count-text.ts';
import { podEndWords } from '../../ledger/pod-end-words.ts';
import { countFailedPods, type Failure, type FailureGroup } from '../facts/failure-groups.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { timeText } from '../page/time-texts.ts';
import { entryLink } from '../page/words.ts';
import { evidenceMarkup, LogBudget } from './evidence.ts';

/** Kinds of failures that are shown in full; each further one in a line. */
const MOST_IN_FULL = 25;
/** Pods of a group that are named. */
const MOST_NAMED = 40;

/** What failed, with the evidence; pods that failed alike are one group. */
export function failuresSection({ failures }: ReportFacts): PageSection {
  const budget = new LogBudget();
  const rest = failures.slice(MOST_IN_FULL);
  const content =
    failures.length === 0
      ? html`<p class="empty">No pod failed.</p>`
      : html`<p class="lead">${sumText(failures)}</p>
${failures.slice(0, MOST_IN_FULL).map((group) => card(group, budget))}
${rest.length > 0 && html`<p>Further failures, without their evidence:</p><ul>${rest.map((group) => html`<li>${headingOf(group)}</li>`)}</ul>`}`;
  const count = countFailedPods(failures);
  return { id: 'failures', heading: 'Failures', count, content, newPage: failures.length > 0 };
}

/** E.g. `12 pods failed, in 2 ways. Containers of 1 pod failed and were restarted in place.` */
function sumText(groups: readonly FailureGroup[]): string {
  const failed = countFailedPods(groups);
  const ways = groups.filter(({ isInPlace }) => !isInPlace).length;
  const restarted = groups.reduce((sum, { failures }) => sum + failures.length, 0) - failed;
  const first =
    failed === 0
      ? 'No pod failed.'
      : `${countText(failed, 'pod')} failed${ways < failed ? `, in ${countText(ways, 'way')}` : ''}.`;
  if (restarted === 0) return first;
  return `${first} Containers of ${countText(restarted, 'pod')} failed and were restarted in place.`;
}

function card(group: FailureGroup, budget: LogBudget): Markup {
  const first = group.failures[0]!;
  const { pod, entry, decision, attempt, at, record } = first;
  return html`<article class="card fail"><h3>${headingOf(group)}</h3>
<dl class="pairs">
${pair('Pod', html`${pod.pod}${pod.role && html` <span class="muted">${pod.role}</span>`}`)}
${pair('When', html`${timeText(record?.failedAt ?? at)}, in attempt ${attempt} ${entryLink(entry?.seq)}`)}
${pod.node && pair('Node', html`${pod.node}`)}
${decision && pair('What followed', html`${decision.message}${decision.rule && html`<br><code>${decision.rule}</code>`}`)}
</dl>
${record ? evidenceMarkup(record, budget) : html`<p class="small muted">No evidence of it could be read.</p>`}
${alike(group.failures.slice(1))}</article>`;
}

const pair = (name: string, value: Markup) => html`<dt>${name}</dt><dd>${value}</dd>`;

/** E.g. `pytorch: exit code 137, OOMKilled, 12 pods`. */
function headingOf({ failures, isInPlace }: FailureGroup): Markup {
  const { pod } = failures[0]!;
  const { container, role } = pod;
  const how = podEndWords(pod);
  const where = container ?? role;
  const pods = failures.length === 1 ? pod.pod : countText(failures.length, 'pod');
  return html`${pods}: ${where && `${where}, `}${how.length > 0 ? how.join(', ') : 'failed'}${isInPlace && ', restarted in place'}`;
}

function alike(others: readonly Failure[]): Markup | undefined {
  if (others.length === 0) return undefined;
  const named = others.slice(0, MOST_NAMED).map(({ pod, at }) => {
    const place = [pod.node, timeText(at)].filter(Boolean).join(', ');
    return html`<li>${pod.pod} <span class="muted">${place}</span></li>`;
  });
  const more = others.length - named.length;
  return html`<details><summary>${countText(others.length, 'other pod')} failed alike</summary>
<ul>${named}${more > 0 && html`<li class="muted">and ${more} more, in the table of pods and in the ledger</li>`}</ul></details>`;
}
