import { isFinal } from '../../contracts/status.ts';
import { roomForJobs, roomForPage, shownLines } from './layout.ts';
import type { TopJob } from './top-job.ts';
import { topColumns } from './top-job.ts';
import { jobAtCursor, type TopPrompt, type TopState, withSelection } from './top-state.ts';

/** What a key asks of the world beyond the state. */
export type TopRequest =
  | { readonly is: 'quit'; readonly exit: 'ok' | 'interrupted' }
  | { readonly is: 'open'; readonly page: 'job' | 'why' | 'log'; readonly job: TopJob }
  | { readonly is: 'close' }
  | { readonly is: 'stop'; readonly job: TopJob; readonly why: string }
  | { readonly is: 'filter'; readonly text: string }
  | { readonly is: 'redraw' }
  | { readonly is: 'suspend' };

export interface TopStep {
  readonly state: TopState;
  readonly request?: TopRequest;
}

interface Key {
  /** As `keyName` names them. */
  readonly keys: readonly string[];
  readonly does: string;
  /** For the last line of the screen. */
  readonly hint?: string;
  readonly press: (state: TopState) => TopStep;
}

/** Returns what a key does. */
export function press(given: TopState, key: string): TopStep {
  const state = { ...given, notice: undefined };
  const { prompt, page } = state;
  const everywhere = find(KEYS_OF_ALL, key);
  if (everywhere) return everywhere.press(state);
  if (prompt) return typed(state, prompt, key);
  return find(page ? KEYS_OF_PAGE : KEYS_OF_LIST, key)?.press(state) ?? { state: given };
}

const find = (keys: readonly Key[], key: string) => keys.find((one) => one.keys.includes(key));

const request = (is: 'redraw' | 'suspend') => (state: TopState) => ({ state, request: { is } });

const KEYS_OF_ALL: readonly Key[] = [
  { keys: ['ctrl+c'], does: 'quit', press: quitting('interrupted') },
  { keys: ['ctrl+l'], does: 'draw the screen anew', press: request('redraw') },
  { keys: ['ctrl+z'], does: 'stop top itself until `fg`', press: request('suspend') },
];

function quitting(exit: 'ok' | 'interrupted') {
  return (state: TopState): TopStep => ({ state, request: { is: 'quit', exit } });
}

export const KEYS_OF_LIST: readonly Key[] = [
  { keys: ['up', 'k'], does: 'the job above', press: moving(() => -1) },
  { keys: ['down', 'j'], does: 'the job below', press: moving(() => 1) },
  { keys: ['pageup', 'ctrl+b'], does: 'a screen up', press: moving((state) => -roomForJobs(state)) },
  { keys: ['pagedown', 'ctrl+f'], does: 'a screen down', press: moving(roomForJobs) },
  { keys: ['home', 'g'], does: 'the first job', press: moving(() => Number.NEGATIVE_INFINITY) },
  { keys: ['end', 'G'], does: 'the last job', press: moving(() => Number.POSITIVE_INFINITY) },
  { keys: ['return'], does: 'what `get` says of the job', hint: 'Enter job', press: opening('job') },
  { keys: ['w'], does: 'what `why` says', hint: 'w why', press: opening('why') },
  { keys: ['l'], does: 'its log, as it is written', hint: 'l log', press: opening('log') },
  { keys: ['s'], does: 'stop it: asks why, and whether you are sure', hint: 's stop', press: askWhy },
  { keys: ['/'], does: 'filter: words, or options of `list`', hint: '/ filter', press: askFilter },
  { keys: ['o'], does: 'sort by the next column', hint: 'o sort', press: sortByNext(1) },
  { keys: ['O'], does: 'sort by the column before', press: sortByNext(-1) },
  { keys: ['r'], does: 'reverse the order', hint: 'r reverse', press: reverse },
  { keys: ['?', 'h'], does: 'these keys', hint: '? help', press: openHelp },
  { keys: ['q'], does: 'quit', hint: 'q quit', press: quitting('ok') },
];

export const KEYS_OF_PAGE: readonly Key[] = [
  { keys: ['up', 'k'], does: 'a line up', press: scrolling(() => -1) },
  { keys: ['down', 'j'], does: 'a line down', press: scrolling(() => 1) },
  { keys: ['pageup', 'b', 'ctrl+b'], does: 'a screen up', press: scrolling((state) => -roomForPage(state)) },
  { keys: ['pagedown', ' ', 'ctrl+f'], does: 'a screen down', press: scrolling(roomForPage) },
  { keys: ['home', 'g'], does: 'the beginning', hint: 'g begin', press: scrolling(() => -Infinity) },
  { keys: ['end', 'G'], does: 'the end, and what follows', hint: 'G end', press: scrolling(() => Infinity) },
  { keys: ['escape', 'q', 'left'], does: 'back to the jobs', hint: 'q back', press: close },
];

function moving(by: (state: TopState) => number) {
  return (state: TopState): TopStep => ({ state: withSelection(state, state.index + by(state)) });
}

function opening(page: 'job' | 'why' | 'log') {
  return (state: TopState): TopStep => {
    const job = jobAtCursor(state);
    if (!job) return { state };
    const title = `${page === 'job' ? 'get' : page} ${job.workflowId}`;
    const down = page === 'log' ? undefined : 0;
    return {
      state: { ...state, page: { of: page, title, lines: [], down } },
      request: { is: 'open', page, job },
    };
  };
}

function openHelp(state: TopState): TopStep {
  const lines = (keys: readonly Key[]) =>
    keys.map(
      ({ keys, does }) =>
        `  ${keys
          .map((key) => SHOWN[key] ?? key)
          .join(', ')
          .padEnd(18)}${does}`,
    );
  const all = [
    ...['Jobs', ...lines(KEYS_OF_LIST), '', 'A job, its log', ...lines(KEYS_OF_PAGE)],
    ...['', 'Everywhere', ...lines(KEYS_OF_ALL)],
  ];
  return { state: { ...state, page: { of: 'help', title: 'keys', lines: all, down: 0 } } };
}

const SHOWN: Readonly<Record<string, string>> = {
  return: 'Enter',
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  ' ': 'Space',
};

function askWhy(state: TopState): TopStep {
  const job = jobAtCursor(state);
  if (!job) return { state };
  if (isFinal(job.phase)) return { state: { ...state, notice: `${job.workflowId} has already ended` } };
  return { state: { ...state, prompt: { for: 'why', text: '', job } } };
}

function askFilter(state: TopState): TopStep {
  return { state: { ...state, prompt: { for: 'filter', text: state.filter.text } } };
}

function sortByNext(step: 1 | -1) {
  return (state: TopState): TopStep => {
    const orders = [undefined, ...topColumns(state.namespace === undefined).map(({ title }) => title)];
    const place = orders.indexOf(state.sort.by) + step;
    const by = orders.at(place % orders.length);
    return { state: withSelection({ ...state, sort: { by, isReversed: false } }) };
  };
}

function reverse(state: TopState): TopStep {
  return { state: withSelection({ ...state, sort: { ...state.sort, isReversed: !state.sort.isReversed } }) };
}

function close(state: TopState): TopStep {
  return { state: { ...state, page: undefined }, request: { is: 'close' } };
}

function scrolling(by: (state: TopState) => number) {
  return (state: TopState): TopStep => {
    const { page } = state;
    if (!page) return { state };
    const most = Math.max(0, shownLines(page, state).length - roomForPage(state));
    const wanted = Math.min(page.down ?? most, most) + by(state);
    // At its end, a page shows what follows.
    const down = wanted >= most ? undefined : Math.max(0, wanted);
    return { state: { ...state, page: { ...page, down: page.of === 'log' ? down : (down ?? most) } } };
  };
}

/** A key while something is asked. */
function typed(state: TopState, prompt: TopPrompt, key: string): TopStep {
  if (key === 'escape') return { state: { ...state, prompt: undefined } };
  if (prompt.for === 'confirmation') return confirmed(state, prompt, key);
  if (key === 'return') return answered(state, prompt);
  return { state: { ...state, prompt: { ...prompt, text: edited(prompt.text, key) } } };
}

function confirmed(
  state: TopState,
  { job, why }: TopPrompt & { readonly for: 'confirmation' },
  key: string,
): TopStep {
  if (key === 'y') return { state: { ...state, prompt: undefined }, request: { is: 'stop', job, why } };
  return key === 'n' ? { state: { ...state, prompt: undefined, notice: 'not stopped' } } : { state };
}

function answered(state: TopState, prompt: TopPrompt): TopStep {
  const text = prompt.text.trim();
  if (prompt.for === 'filter')
    return { state: { ...state, prompt: undefined }, request: { is: 'filter', text } };
  // Who reads the history wants to know why.
  if (text === '') return { state };
  return { state: { ...state, prompt: { for: 'confirmation', text: '', why: text, job: prompt.job } } };
}

/** Returns a text after a key; other keys than these change nothing. */
function edited(text: string, key: string): string {
  if (key === 'backspace') return [...text].slice(0, -1).join('');
  if (key === 'ctrl+u') return '';
  if (key === 'ctrl+w') return text.replace(/\S*\s*$/, '');
  return [...key].length === 1 ? text + key : text;
}
