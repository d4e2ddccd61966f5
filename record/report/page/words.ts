import { REASONS } from '../../../contracts/reasons.ts';
import type { LedgerWho } from '../../../contracts/types.ts';
import { html, type Markup } from './markup.ts';

/** Who asked: whether a server checked the name, or it is only what the caller said. */
export function whoMarkup({ given, source, identity, authenticated }: LedgerWho): Markup {
  const parts: Markup[] = [];
  if (authenticated)
    parts.push(
      html`${authenticated.name} <span class="tag good">authenticated${authenticated.type && `: ${authenticated.type}`}</span>`,
    );
  if (given && given !== authenticated?.name)
    parts.push(html`${given} <span class="tag">claimed${source && ` by ${source}`}</span>`);
  if (parts.length === 0 && identity) parts.push(html`client ${identity} <span class="tag">claimed</span>`);
  return parts.length > 0
    ? html`${parts.map((part, index) => (index > 0 ? html`, ${part}` : part))}`
    : UNKNOWN;
}

const UNKNOWN = html`<span class="muted">not said</span>`;

const LOOKS: Readonly<Record<string, string>> = { Completed: 'good', Running: 'good', Failed: 'bad' };

/** The class of a phase, or of another end of a job. */
export const lookOf = (outcome: string): string => LOOKS[outcome] ?? 'warn';

/** What a reason means; a ledger may have one of a later version. */
export const sentenceOf = (reason: string): string =>
  (REASONS as Readonly<Record<string, { readonly sentence: string }>>)[reason]?.sentence ?? '';

/** A value in words: text as it is, anything else as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** E.g. `replicas: 4, role: Worker`. */
export const fieldsText = (fields: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');

/** A link to an entry of the ledger. */
export const entryLink = (seq: number | undefined): Markup | undefined =>
  seq === undefined ? undefined : html`<a href="#e${seq}" class="small entry">entry ${seq}</a>`;
