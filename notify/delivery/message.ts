import type { NoticedJob, NotifiedChange } from '../../contracts/notifications.ts';
import { formatDuration } from '../../language/duration.ts';
import { shorten } from '../../language/shorten.ts';
import type { TextField } from '../routes/receiver-schemas.ts';

/** A message, as all receivers word it. */
export interface Message {
  /** The same each time it is sent. */
  readonly id: string;
  readonly route: string;
  readonly notices: readonly NotifiedChange[];
  /** One line. */
  readonly title: string;
  /** Plain text, a line each. */
  readonly lines: readonly string[];
  /** Of the one job that it is about. */
  readonly links: readonly MessageLink[];
  /** Of any of its jobs. */
  readonly linksOf: (notice: NotifiedChange) => readonly MessageLink[];
  readonly isBad: boolean;
}

interface MessageLink {
  readonly title: string;
  readonly url: string;
}

interface Wording {
  readonly id: string;
  readonly route: string;
  /** The first line, instead of the usual one. */
  readonly text?: string;
  readonly links: Readonly<Record<string, string>>;
}

const TITLE_LENGTH = 150;
const MOST_LISTED = 15;

export function messageOf(notices: readonly NotifiedChange[], { id, route, text, links }: Wording): Message {
  const title = text === undefined ? titleOf(notices) : filledIn(text, notices);
  return {
    ...{ id, route, notices },
    title: oneLine(title, TITLE_LENGTH),
    lines: notices.length === 1 ? linesOfOne(notices[0]!) : linesOfMany(notices),
    links: notices.length === 1 ? linksOf(notices[0]!, links) : [],
    linksOf: (notice) => linksOf(notice, links),
    isBad: notices.some(isBad),
  };
}

/** `Failed: ml/train (PodFailed)`; `12 jobs: Failed (PodFailed)`. */
function titleOf(notices: readonly NotifiedChange[]): string {
  const [first] = notices;
  if (notices.length > 1) return `${notices.length} jobs: ${tallied(notices)}`;
  if (!first?.job) return `signalbox: ${first?.engine ?? ''}`;
  const { namespace, name, reason } = first.job;
  return `${stateOf(first)}: ${namespace}/${name}${reason ? ` (${reason})` : ''}`;
}

const stateOf = ({ job, forMs }: NotifiedChange): string =>
  `${job?.phase}${forMs === undefined ? '' : ` for ${formatDuration(forMs)}`}`;

const linesOfOne = ({ job, message, remedy, at }: NotifiedChange): string[] => [
  oneLine(message, 700),
  ...(remedy ? [`What helps: ${oneLine(remedy, 700)}`] : []),
  oneLine(
    [`Since ${at}`, ...(job ? [`attempt ${job.attempt}`, job.kind, ...byOf(job)] : [])].join(', '),
    700,
  ),
];

const byOf = ({ submittedBy }: NoticedJob): string[] => (submittedBy ? [`submitted by ${submittedBy}`] : []);

function linesOfMany(notices: readonly NotifiedChange[]): string[] {
  const said = [...new Set(notices.map(({ message }) => oneLine(message, 150)))];
  const listed = notices
    .slice(0, MOST_LISTED)
    .map(({ job, message }) =>
      said.length === 1 ? jobText(job) : `${jobText(job)}: ${oneLine(message, 150)}`,
    );
  const left = notices.length - listed.length;
  return [...(said.length === 1 ? said : []), ...listed, ...(left > 0 ? [`and ${left} more`] : [])];
}

const jobText = (job: NoticedJob | undefined): string =>
  job ? oneLine(`${job.namespace}/${job.name}`, TITLE_LENGTH) : '';

/** `Failed (PodFailed) 10, Stopped 2`. */
function tallied(notices: readonly NotifiedChange[]): string {
  const kinds = Map.groupBy(
    notices,
    (one) => `${stateOf(one)}${one.job?.reason ? ` (${one.job.reason})` : ''}`,
  );
  if (kinds.size === 1) return [...kinds.keys()][0]!;
  return [...kinds].map(([kind, { length }]) => `${kind} ${length}`).join(', ');
}

const isBad = ({ job, engine }: NotifiedChange): boolean =>
  engine !== undefined || job?.phase === 'Failed' || job?.phase === 'Pending' || job?.phase === 'Restarting';

function filledIn(text: string, notices: readonly NotifiedChange[]): string {
  const [{ job, message = '' } = {} as Partial<NotifiedChange>] = notices;
  const fields: Readonly<Record<TextField, string>> = {
    name: job?.name ?? '',
    namespace: job?.namespace ?? '',
    kind: job?.kind ?? '',
    phase: job?.phase ?? '',
    reason: job?.reason ?? '',
    attempt: String(job?.attempt ?? ''),
    submittedBy: job?.submittedBy ?? '',
    message,
    count: String(notices.length),
  };
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => fields[name as TextField] ?? all);
}

const linksOf = ({ job }: NotifiedChange, links: Wording['links']): MessageLink[] =>
  job
    ? Object.entries(links).map(([title, url]) => ({
        title,
        url: url.replaceAll(/\{(namespace|name|workflowId|runId)\}/g, (_, name: keyof NoticedJob) =>
          encodeURIComponent(String(job[name])),
        ),
      }))
    : [];

/** What others wrote stays on its line, and shows no control characters. */
const oneLine = (text: string, length: number): string =>
  shorten(text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim(), length);
