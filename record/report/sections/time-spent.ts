import { formatDuration } from '../../../language/duration.ts';
import type { SpentTime } from '../../facts/accounts.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html, type Markup } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { sentenceOf } from '../page/words.ts';
import { hoursText, percent } from './head.ts';

/** Where the job's time, and that of its GPUs, went. */
export function timeSection({ accounts, gpus, unrecorded }: ReportFacts): PageSection {
  const whole = accounts.reduce((sum, { ms }) => sum + ms, 0);
  const hasGpus = gpus.size > 0;
  const columns = [
    { heading: 'Phase' },
    { heading: 'Cause' },
    { heading: 'Time', is: 'number' },
    { heading: 'Share', is: 'number', late: true },
    ...(hasGpus ? ([{ heading: 'GPU-hours', is: 'number' }] as const) : []),
  ] as const;
  const rows = accounts.map(({ phase, reason, ms, gpuHours }) => [
    phase,
    reason ? html`${reason}<br><span class="small muted">${sentenceOf(reason)}</span>` : '',
    formatDuration(ms),
    percent(ms, whole),
    ...(hasGpus ? [hoursText(gpuHours)] : []),
  ]);
  const counted = unrecorded.length === 0 ? 'the record of pods' : 'the counts in the ledger';
  const content = html`${shareBar(accounts, whole)}
${tableMarkup('Time by phase and cause', columns, rows)}
${hasGpus && html`<p class="small muted">A pod holds its GPUs from when it has a node until it ends, by ${counted}: ${gpusText(gpus)}.</p>`}`;
  return { id: 'time', heading: 'Where the time went', content };
}

const gpusText = (gpus: ReadonlyMap<string, number>) =>
  [...gpus].map(([role, each]) => `${each} for each pod of role ${role}`).join(', ');

function shareBar(accounts: readonly SpentTime[], whole: number): Markup {
  const byPhase = [...Map.groupBy(accounts, ({ phase }) => phase)].map(([phase, own]) => ({
    phase,
    ms: own.reduce((sum, { ms }) => sum + ms, 0),
  }));
  let left = 0;
  const parts = byPhase.map(({ phase, ms }) => {
    const width = whole > 0 ? (1000 * ms) / whole : 0;
    const x = left;
    left += width;
    return html`<rect x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="28" fill="var(--${phase.toLowerCase()})"><title>${phase}: ${formatDuration(ms)}</title></rect>`;
  });
  const words = byPhase.map(({ phase, ms }) => `${phase} ${percent(ms, whole)}`).join(', ');
  const legend = byPhase.map(
    ({ phase, ms }) =>
      html`<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="2" fill="var(--${phase.toLowerCase()})"/></svg>${phase} ${percent(ms, whole)}</li>`,
  );
  return html`<svg class="share" viewBox="0 0 1000 28" preserveAspectRatio="none" role="img" aria-label="Shares of time: ${words}">${parts}</svg>
<ul class="legend" aria-label="Shares of time">${legend}</ul>`;
}
