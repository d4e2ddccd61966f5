import { formatDuration } from '../../../language/duration.ts';
import type { SpentTime } from '../../facts/accounts.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { PageSection } from '../page/document.ts';
import { html } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';
import { sentenceOf } from '../page/words.ts';
import { percent } from './head.ts';
import { shareBar } from './share-bar.ts';

/** Where the job's time went. */
export function timeSection({ accounts }: ReportFacts): PageSection {
  const whole = accounts.reduce((sum, { ms }) => sum + ms, 0);
  const rows = accounts.map(({ phase, reason, ms }) => [
    phase,
    reason ? html`${reason}<br><span class="small muted">${sentenceOf(reason)}</span>` : '',
    formatDuration(ms),
    percent(ms, whole),
  ]);
  const content = html`${shareBar(sharesOf(accounts), 'Shares of time')}
${tableMarkup('Time by phase and cause', COLUMNS, rows)}`;
  return { id: 'time', heading: 'Where the time went', content };
}

const COLUMNS = [
  { heading: 'Phase' },
  { heading: 'Cause' },
  { heading: 'Time', is: 'number' },
  { heading: 'Share', is: 'number', late: true },
] as const;

function sharesOf(accounts: readonly SpentTime[]): Parameters<typeof shareBar>[0] {
  return [...Map.groupBy(accounts, ({ phase }) => phase)].map(([phase, own]) => {
    const ms = own.reduce((sum, account) => sum + account.ms, 0);
    return { name: phase, colour: phase.toLowerCase(), ms, text: formatDuration(ms) };
  });
}
